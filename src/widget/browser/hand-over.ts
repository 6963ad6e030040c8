import { HAND_OVER } from "../../texts/widget-receipt.ts";
import type { Context } from "./context.ts";
import { h } from "./dom.ts";
import { follow } from "./follow.ts";
import { qrPicture } from "./qr-picture.ts";
import { pause } from "./screens/working.ts";

/**
 * Offers this page to another device: its address, whose fragment has the token. The code is drawn here, so that the
 * token goes to nobody. While it is shown, this page follows the other device from step to step.
 */
export function handOver(context: Context): HTMLElement {
	const { words } = context;
	/** Times it was opened: each follows anew. */
	let turns = 0;
	const said = h("p", { role: "status" });
	const copy = h("button", { class: "quiet", type: "button", onclick: copyLink }, words.say(HAND_OVER.copy));
	const content = h("div", {});
	const details = h("details", { class: "hand-over" }, h("summary", {}, words.say(HAND_OVER.title)), content);
	details.addEventListener("toggle", () => {
		if (!details.open) return content.replaceChildren();
		said.textContent = "";
		content.replaceChildren(
			h("p", {}, words.say(HAND_OVER.introduction)),
			qrPicture(location.href, words.say(HAND_OVER.code)),
			h("p", { class: "hint" }, words.say(HAND_OVER.secret)),
			h("p", { class: "link-text" }, location.href),
			h("div", { class: "actions" }, copy),
			said,
		);
		const turn = ++turns;
		follow(context, () => details.open && turn === turns, pause);
	});
	return details;

	/** The link stands above as text for a browser that lets no page copy. */
	async function copyLink(): Promise<void> {
		const copied = await navigator.clipboard?.writeText(location.href).then(
			() => true,
			() => false,
		);
		if (copied) said.textContent = words.say(HAND_OVER.copied);
	}
}
