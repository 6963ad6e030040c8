import { MINUTE_MS } from "../../domain/durations.ts";
import type { Context } from "./context.ts";
import { h } from "./dom.ts";
import type { State } from "./state.ts";

/* Announces the session's end two minutes before, with a way to postpone it (WCAG 2.2.1), and notices the end. */

const WARN_MS = 2 * MINUTE_MS;
const LOOK_EVERY_MS = 5_000;

export function watchEnd(context: Context): void {
	const { words, layout, calls } = context;
	let warned = false;
	const timer = setInterval(async () => {
		const { expires_at, status } = context.state;
		// A certificate that was issued stays on the page.
		if (status !== "open") return warn(false);
		const left = Date.parse(expires_at) - (Date.now() + calls.skewMs());
		if (left > 0) return warn(left < WARN_MS);
		const read = await calls.read();
		if ("data" in read) return prolong(read.data);
		clearInterval(timer);
		warn(false);
		context.refuse(read.refusal, () => location.reload());
	}, LOOK_EVERY_MS);

	function warn(soon: boolean): void {
		if (soon === warned) return;
		warned = soon;
		const time = words.time(Date.parse(context.state.expires_at));
		const more = h("button", { class: "link", type: "button", onclick: stay }, words.text("stay"));
		layout.notice("endsSoon", soon ? [words.text("endsSoon", { time }), " ", more] : null);
	}

	async function stay(): Promise<void> {
		const saved = await calls.save({ step: context.state.step });
		if ("data" in saved) prolong(saved.data);
	}

	/** Extends the time only: the screen stays, and the answers are the page's own. */
	function prolong({ expires_at }: State): void {
		context.state = { ...context.state, expires_at };
	}
}
