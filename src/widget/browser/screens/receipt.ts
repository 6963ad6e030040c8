import { RECEIPT, receiptFacts } from "../../../texts/widget-receipt.ts";
import type { Context } from "../context.ts";
import { type Child, h } from "../dom.ts";
import { qrPicture } from "../qr-picture.ts";

/** Links of an issued certificate: what to do next, and its receipt. @param back - shows the present screen again */
export function afterwards(context: Context, back: () => void): Child[] {
	const { words } = context;
	const show = () => void receiptScreen(context, back);
	const href = `/instalar?lang=${words.language}`;
	return [
		h("p", {}, h("a", { href, target: "_blank", rel: "noopener" }, words.say(RECEIPT.install))),
		h("p", {}, h("button", { class: "link", type: "button", onclick: show }, words.say(RECEIPT.show))),
	];
}

/** Shows the receipt, which is printed from here: no address has any of it. */
async function receiptScreen(context: Context, back: () => void): Promise<void> {
	const { words, layout, calls } = context;
	const read = await calls.receipt();
	const found = "data" in read ? read.data : null;
	const action = (main: boolean, label: string, onclick: () => void) =>
		h("button", { class: main ? "main" : "quiet", type: "button", onclick }, label);
	layout.show({
		title: words.say(RECEIPT.title),
		content: [
			...(found ? content(found) : [h("p", { class: "refusal", role: "alert" }, words.say(RECEIPT.missing))]),
			h(
				"div",
				{ class: "actions" },
				found && action(true, words.say(RECEIPT.print), () => print()),
				action(false, words.say(RECEIPT.back), back),
			),
		],
	});

	function content(receipt: NonNullable<typeof found>): Child[] {
		const url = `${location.origin}/revocar`;
		const facts = receiptFacts(receipt, words.language, (at) => words.date(at));
		return [
			h(
				"dl",
				{ class: "receipt" },
				...facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
			),
			h(
				"p",
				{},
				words.say(RECEIPT.revoke),
				" ",
				h("a", { href: url, target: "_blank", rel: "noopener" }, url),
			),
			qrPicture(url, words.say(RECEIPT.code, { url })),
			h("p", { class: "hint" }, words.say(RECEIPT.noFile)),
		];
	}
}
