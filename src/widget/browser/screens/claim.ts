import type { Context } from "../context.ts";
import { h } from "../dom.ts";
import { createField } from "../field.ts";
import { typedPin } from "../typed.ts";
import { type Download, readyScreen } from "./done.ts";
import { pinSwitch } from "./pin-switch.ts";
import { trouble } from "./trouble.ts";
import { LOOK_AGAIN_MS, pause, workingScreen } from "./working.ts";

/* The certificate, by the PIN. */

const RUNNING: readonly string[] = ["VALIDATION_IN_PROGRESS", "IDEMPOTENCY_IN_PROGRESS"];

/** Claims with the PIN in memory; answers the same certificate when it was obtained before. */
export async function obtain(context: Context): Promise<void> {
	const { calls, parent, pin, state } = context;
	workingScreen(context, "issue");
	let outcome = await calls.claim(pin!);
	while ("refusal" in outcome && RUNNING.includes(outcome.refusal.code)) {
		await pause(LOOK_AGAIN_MS);
		outcome = await calls.claim(pin!);
	}
	if ("refusal" in outcome) return context.refuse(outcome.refusal, () => void obtain(context));
	if (state.status !== "emitted") parent.tell({ type: "onboarding.emitted" });
	context.state = { ...state, status: "emitted" };
	const { certificate, file_name, validTo } = outcome.data;
	readyScreen(context, fileOf(certificate, file_name), validTo);
}

/** Asks for the PIN again after a reload, or in another tab, where it is in no memory. */
export function getScreen(context: Context, why?: string): void {
	const { words, layout, state } = context;
	const isIssued = state.status === "emitted";
	const attributes = { type: "password", inputmode: "numeric", autocomplete: "off", maxlength: 4 };
	const spec = { name: "pin", label: "pin", full: 4, read: typedPin, attributes } as const;
	const field = createField(spec, words, undefined);
	const onsubmit = (event: Event) => {
		event.preventDefault();
		const pin = field.value();
		if (pin === null) return field.input.focus();
		context.pin = pin;
		obtain(context);
	};
	layout.show({
		title: words.text(isIssued ? "sentTitle" : "getTitle"),
		content: [
			trouble(context, why),
			h("p", {}, words.text(isIssued ? "getIssuedIntro" : "getIntro")),
			h(
				"form",
				{ novalidate: true, onsubmit },
				field.element,
				pinSwitch(words, [field]),
				h("div", { class: "actions" }, h("button", { class: "main", type: "submit" }, words.text("get"))),
			),
		],
		focus: why ? undefined : field.input,
	});
}

function fileOf(base64: string, name: string): Download {
	const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
	return { name, url: URL.createObjectURL(new Blob([bytes], { type: "application/x-pkcs12" })) };
}
