import type { Context } from "../context.ts";
import { h } from "../dom.ts";
import type { StepName } from "../state.ts";
import { progressOf } from "./form.ts";
import { trouble } from "./trouble.ts";

/*
 * Single sign-on in a tab of its own: ClaveÚnica certifies no frame and no small window, and its address must be seen. The
 * provider's answer goes to the service; this page asks there, so nothing has to come back from the tab.
 */

const ASK_EVERY_MS = 2_000;

const WHY_NOT = {
	cancelled: "signOnCancelled",
	other_person: "signOnOtherPerson",
	unavailable: "signOnUnavailable",
} as const;

export function signOnScreen(context: Context, next: StepName, why?: string): void {
	const { words, layout, calls, back } = context;
	const status = h("div", { class: "status", role: "status" });
	const button = h("button", { class: "main", type: "button", onclick: begin }, words.text("signOnOpen"));
	let asking = false;

	async function begin(): Promise<void> {
		// Opened before the first await: browsers let only a click's own task open a tab.
		const opened = window.open("", "_blank");
		const outcome = await calls.signOn();
		if ("refusal" in outcome) {
			opened?.close();
			return context.refuse(outcome.refusal, () => context.goTo("sign_on"));
		}
		const { authorize_url } = outcome.data;
		if (opened) {
			opened.opener = null;
			opened.location.replace(authorize_url);
			say(words.text("signOnWaiting"));
		} else {
			const link = h(
				"a",
				{ href: authorize_url, target: "_blank", rel: "noopener noreferrer" },
				words.text("signOnOpen"),
			);
			status.replaceChildren(h("p", {}, words.text("signOnBlocked"), " ", link));
		}
		button.textContent = words.text("signOnAgain");
		button.className = "quiet";
		if (!asking) ask();
	}

	/** Polls until the service knows how the sign-on ended, or another step is shown. */
	async function ask(): Promise<void> {
		asking = true;
		await until(ASK_EVERY_MS);
		if (!status.isConnected) return;
		const outcome = await calls.read();
		if (!status.isConnected) return;
		if ("refusal" in outcome) return context.refuse(outcome.refusal, () => context.goTo("sign_on"));
		const { sign_on } = outcome.data;
		if (sign_on === "pending" || sign_on === "none") return ask();
		context.state = outcome.data;
		if (sign_on === "verified") return proceed();
		signOnScreen(context, next, words.text(WHY_NOT[sign_on]));
	}

	async function proceed(): Promise<void> {
		const outcome = await calls.save({ step: next });
		if ("data" in outcome) context.accept(outcome.data);
		else context.refuse(outcome.refusal, () => context.goTo("sign_on"));
	}

	function say(text: string): void {
		status.replaceChildren(h("p", { class: "waiting" }, text));
	}

	const verified = context.state.sign_on === "verified" && !why;
	layout.show({
		title: words.text("signOnTitle"),
		progress: progressOf(context, "sign_on"),
		content: [
			trouble(context, why),
			verified
				? h("p", { class: "good-line" }, words.text("signOnDone"))
				: h("p", {}, words.text("signOnIntro")),
			status,
			h(
				"div",
				{ class: "actions" },
				verified
					? h("button", { class: "main", type: "button", onclick: proceed }, words.text("next"))
					: button,
				back && h("button", { class: "quiet", type: "button", onclick: back }, words.text("back")),
			),
		],
	});
	// A reload while the window is open.
	if (context.state.sign_on === "pending" && !why) {
		say(words.text("signOnWaiting"));
		ask();
	}
}

/** The time, or sooner when the holder comes back to this page. */
function until(ms: number): Promise<void> {
	return new Promise((resolve) => {
		const done = () => {
			clearTimeout(timer);
			removeEventListener("focus", done);
			resolve();
		};
		const timer = setTimeout(done, ms);
		addEventListener("focus", done);
	});
}
