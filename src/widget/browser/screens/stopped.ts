import { h } from "../dom.ts";
import type { Layout } from "../layout.ts";
import type { Refusal } from "../state.ts";
import type { Words } from "../words.ts";

/* Screens that stop the holder, temporarily or permanently, and say what to do next. */

interface Page {
	words: Words;
	layout: Layout;
}

/** Lets the holder try again, at once or after a lock. */
export function againScreen(
	{ words, layout }: Page,
	{ code }: Pick<Refusal, "code">,
	again: () => void,
	until: number | null,
): void {
	const button = h("button", { class: "main", type: "button", onclick: again }, words.text("retry"));
	const text = words.refusal(code, until === null ? {} : { time: words.time(until) });
	if (until !== null) {
		button.disabled = true;
		const timer = setInterval(() => {
			if (Date.now() < until && button.isConnected) return;
			button.disabled = false;
			clearInterval(timer);
		}, 1_000);
	}
	layout.show({
		title: words.text("title"),
		content: [h("p", { class: "refusal", role: "alert" }, text), h("div", { class: "actions" }, button)],
	});
}

export function overScreen({ words, layout }: Page, { code }: Refusal): void {
	layout.show({
		title: words.text("title"),
		content: [h("p", { class: "refusal", role: "alert" }, words.refusal(code))],
	});
}

/** @param reason - as the session's record has it; null: there is no such session, or the token is not its own. */
export function endScreen({ words, layout }: Page, reason: string | null): void {
	layout.show({
		title: words.end(reason === null ? "unknownTitle" : "endTitle"),
		content: [h("p", { role: "alert" }, words.end(reason ?? "unknown"))],
	});
}
