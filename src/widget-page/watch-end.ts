import type { Context } from "./context.ts";
import { h } from "./dom.ts";

/* The session's end: said two minutes before, with a way to put it off (WCAG 2.2.1), and noticed when it comes. */

const WARN_MS = 2 * 60_000;
const LOOK_EVERY_MS = 5_000;

export function watchEnd(context: Context, ended: () => void): void {
	const { words, layout, calls } = context;
	let warned = false;
	const timer = setInterval(async () => {
		const { expires_at, status, step } = context.state;
		const left = Date.parse(expires_at) - (Date.now() + calls.skewMs());
		if (left <= 0) {
			const read = await calls.read();
			if ("data" in read) {
				context.state = { ...context.state, expires_at: read.data.expires_at };
				return;
			}
			clearInterval(timer);
			layout.notice("endsSoon", null);
			if (read.refusal.status === 401) ended();
			return;
		}
		const soon = left < WARN_MS && status === "open";
		if (soon === warned) return;
		warned = soon;
		layout.notice(
			"endsSoon",
			soon ? [words.text("endsSoon", { time: words.time(Date.parse(expires_at)) }), " ", more()] : null,
		);

		function more(): HTMLElement {
			const onclick = async () => {
				const saved = await calls.save({ step });
				if ("data" in saved) context.state = { ...context.state, expires_at: saved.data.expires_at };
			};
			return h("button", { class: "link", type: "button", onclick }, words.text("stay"));
		}
	}, LOOK_EVERY_MS);
}
