import { MINUTE_MS } from "../../../domain/durations.ts";
import { h } from "../dom.ts";
import type { Layout } from "../layout.ts";
import type { Words } from "../words.ts";

/* Screens that stop the holder, temporarily or permanently, and say what to do next. */

interface Page {
	words: Words;
	layout: Layout;
}

/** Lets the holder try again. */
export function againScreen({ words, layout }: Page, code: string, again: () => void): void {
	const button = h("button", { class: "main", type: "button", onclick: again }, words.text("retry"));
	layout.show({
		title: words.text("title"),
		content: [
			h("p", { class: "refusal", role: "alert" }, words.refusal(code)),
			h("div", { class: "actions" }, button),
		],
	});
}

/** Lets the holder try again after a security lock. @param until - its end by this device's clock. @param why - what opened it */
export function lockScreen({ words, layout }: Page, until: number, again: () => void, why?: string): void {
	const button = h("button", { class: "main", type: "button", onclick: again }, words.text("retry"));
	button.disabled = true;
	const timer = setInterval(() => {
		if (Date.now() < until && button.isConnected) return;
		button.disabled = false;
		clearInterval(timer);
	}, 1_000);
	// Minutes are shown: the next whole one, or the lock would seem to end before it does.
	const time = words.time(Math.ceil(until / MINUTE_MS) * MINUTE_MS);
	layout.show({
		title: words.text("lockTitle"),
		content: [
			h("p", { class: "refusal", role: "alert" }, words.refusal("ATTEMPT_LIMIT_REACHED", { time })),
			why && h("p", {}, why),
			h("div", { class: "actions" }, button),
		],
	});
}

export function overScreen({ words, layout }: Page, code: string): void {
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
