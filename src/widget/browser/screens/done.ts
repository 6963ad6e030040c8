import type { Context } from "../context.ts";
import { type Child, h } from "../dom.ts";

/* The ends that are a success. */

export interface Download {
	name: string;
	/** Address of a blob in this page's memory. */
	url: string;
}

export function readyScreen(context: Context, file: Download, validTo: string): void {
	const { words, place, hostedUrl, state } = context;
	const inner = h("iframe", { hidden: true, title: words.text("download") });
	let saved = false;
	const content = [
		h("p", {}, words.text("readyUntil", { date: words.date(validTo) })),
		h("p", {}, words.text("downloadPin")),
		h(
			"div",
			{ class: "actions" },
			h(
				"a",
				{
					class: "main",
					href: file.url,
					download: file.name,
					onclick: (event) => {
						event.preventDefault();
						saved = true;
						save(file, inner);
					},
				},
				words.text("download"),
			),
		),
		h(
			"p",
			{ class: "hint" },
			words.text("downloadUntil", { time: words.time(Date.parse(state.expires_at)) }),
		),
		place === "frame" &&
			h(
				"p",
				{ class: "hint" },
				h("a", { href: hostedUrl, target: "_blank", rel: "noopener" }, words.text("downloadElsewhere")),
			),
		inner,
	];
	show(context, words.text("readyTitle"), content, () => saved);
}

/**
 * Saves the file from a frame of this page's own. Firefox and WebKit take a click on a blob's link for a navigation, and
 * ask the policy of the page around the frame, which a partner wrote and which seldom names `blob:`.
 */
function save({ name, url }: Download, inner: HTMLIFrameElement): void {
	const link = inner.contentDocument!.createElement("a");
	Object.assign(link, { href: url, download: name });
	inner.contentDocument!.body.replaceChildren(link);
	link.click();
}

/** The partner hands the certificate over: B2B, or a session without the claim. */
export function handedOverScreen(context: Context): void {
	const { words, state } = context;
	const sent = state.status === "emitted";
	show(context, words.text(sent ? "sentTitle" : "validatedTitle"), [
		h("p", {}, words.text(sent ? "sentText" : "validatedText")),
	]);
}

/** @param hasFile - false: "Close" asks once before it closes */
function show(
	{ words, layout, parent, place }: Context,
	title: string,
	content: Child[],
	hasFile = () => true,
): void {
	let asked = false;
	function close(): void {
		if (asked || hasFile()) parent.tell({ type: "onboarding.closed" });
		else actions.before(h("p", { class: "notice", role: "alert" }, words.text("closeAsks")));
		asked = true;
	}
	const button = h("button", { class: "quiet", type: "button", onclick: close }, words.text("close"));
	const actions = h("div", { class: "actions" }, button);
	layout.show({
		title,
		content: [
			h("div", { class: "seal", "aria-hidden": "true" }),
			...content,
			place === "frame" ? actions : h("p", { class: "hint" }, words.text("mayClose")),
		],
	});
}
