import type { Context } from "../context.ts";
import { h } from "../dom.ts";
import type { StepName } from "../state.ts";
import { shownDate, shownRut } from "../typed.ts";
import { progressOf } from "./form.ts";
import { trouble } from "./trouble.ts";
import { validate } from "./work.ts";

/* The review: all values as they will be sent, a way to change each, the consent to terms and privacy notice. */

export function reviewScreen(context: Context, why?: string): void {
	const { words, layout, back } = context;
	const box = h("input", { type: "checkbox", id: "accept", "aria-describedby": "accept-error" });
	const error = h("p", { id: "accept-error", class: "error", "aria-live": "polite" });
	box.addEventListener("change", () => {
		error.textContent = "";
	});
	const onsubmit = (event: Event) => {
		event.preventDefault();
		if (box.checked) return void validate(context);
		error.textContent = words.text("problemAccept");
		box.focus();
	};
	layout.show({
		title: words.text("reviewTitle"),
		progress: progressOf(context, "review"),
		content: [
			trouble(context, why),
			h("p", {}, words.text("reviewIntro")),
			h("dl", { class: "review" }, ...rows(context)),
			h(
				"form",
				{ novalidate: true, onsubmit },
				h("label", { class: "check", for: "accept" }, box, consent(context)),
				error,
				h(
					"div",
					{ class: "actions" },
					h("button", { class: "main", type: "submit" }, words.text("submit")),
					back && h("button", { class: "quiet", type: "button", onclick: back }, words.text("back")),
				),
			),
		],
	});
}

function rows(context: Context): HTMLElement[] {
	const { words, state } = context;
	const { dni, serialNumber, fechaVencimiento, names, fLastname, mLastname, phone, email } = state.answers;
	const shown: Record<Exclude<StepName, "review">, [string, string | undefined]> = {
		rut: [words.text("rut"), dni && shownRut(dni)],
		card: [words.text("card"), serialNumber],
		expiry: [words.text("expiry"), fechaVencimiento && shownDate(fechaVencimiento)],
		name: [
			words.text("reviewName"),
			[[names, fLastname, mLastname].filter(Boolean).join(" "), phone].filter(Boolean).join(", "),
		],
		sign_on: [words.text("reviewSignOn"), words.text("signOnDone")],
		email: [words.text("email"), email],
		pin: [words.text("reviewPin"), "••••"],
	};
	return state.steps
		.filter((step) => step !== "review")
		.map((step) => {
			const [name, value] = shown[step];
			const label = `${words.text("change")}: ${name}`;
			const change = h(
				"button",
				{ class: "link", type: "button", "aria-label": label, onclick: () => context.goTo(step) },
				words.text("change"),
			);
			return h("div", {}, h("dt", {}, name), h("dd", {}, value ?? "–"), h("dd", {}, change));
		});
}

/** The sentence with its two links where its text has their names. */
function consent({ words, state }: Context): HTMLElement {
	const { terms_url, privacy_url } = state.terms;
	const link = (href: string, text: string) =>
		h(
			"a",
			{ href, target: "_blank", rel: "noopener noreferrer" },
			text,
			h("span", { class: "unseen" }, ` (${words.text("newTab")})`),
		);
	const parts = words.text("accept").split(/\{(?:terms|privacy)\}/);
	return h(
		"span",
		{},
		parts[0],
		link(terms_url, words.text("terms")),
		parts[1],
		link(privacy_url, words.text("privacy")),
		parts[2],
	);
}
