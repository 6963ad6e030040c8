import type { Context } from "../context.ts";
import { type Child, h } from "../dom.ts";
import { afterwards } from "./receipt.ts";

/* The ends that are a success. */

export interface Download {
	name: string;
	/** Address of a blob in this page's memory. */
	url: string;
	/** The holder has pressed the button. */
	saved?: boolean;
}

export function readyScreen(context: Context, file: Download, validTo: string): void {
	const { words, place, hostedUrl, state } = context;
	const inner = h("iframe", { hidden: true, title: words.text("download") });
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
						file.saved = true;
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
		...afterwards(context, () => readyScreen(context, file, validTo)),
		inner,
	];
	show(context, words.text("readyTitle"), content, () => file.saved === true);
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
	if (state.status === "emitted") sentScreen(context);
	else show(context, words.text("validatedTitle"), [h("p", {}, words.text("validatedText"))]);
}

function sentScreen(context: Context): void {
	const { words, state } = context;
	const { status, next_attempt_at: next } = state.delivery ?? { status: "delivered", next_attempt_at: null };
	const time = next === null ? "" : words.time(Date.parse(next));
	const said = h("p", {}, words.text(DELIVERY_WORDS[status], { time }));
	show(context, words.text("sentTitle"), [
		said,
		status !== "ended" && h("p", { class: "hint" }, words.text("sentPin")),
		...afterwards(context, () => sentScreen(context)),
	]);
	if (status === "pending") setTimeout(() => said.isConnected && void readAgain(context), READ_AGAIN_MS);
}

const DELIVERY_WORDS = {
	delivered: "sentText",
	pending: "sentPending",
	waiting_for_address: "sentWaiting",
	ended: "sentEnded",
} as const;

/** An attempt on the partner's server takes seconds. */
const READ_AGAIN_MS = 15_000;

/** Shows the delivery as it stands now, until it has ended or the session has. */
async function readAgain(context: Context): Promise<void> {
	const read = await context.calls.read();
	if ("data" in read) context.accept(read.data);
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
