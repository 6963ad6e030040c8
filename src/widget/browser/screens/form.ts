import { cardDrawings } from "../cards.ts";
import type { Context } from "../context.ts";
import { type Child, h } from "../dom.ts";
import { createField, type Field, type FieldSpec } from "../field.ts";
import type { StepName } from "../state.ts";
import { FORM_STEPS, type FormStep } from "../steps.ts";
import { isCommonPin, typedPin } from "../typed.ts";
import { pinSwitch } from "./pin-switch.ts";
import { trouble } from "./trouble.ts";

/* The steps that ask for something typed. */

const TITLES = {
	rut: "rutTitle",
	card: "cardTitle",
	expiry: "expiryTitle",
	name: "nameTitle",
	email: "emailTitle",
	pin: "pinTitle",
} as const;

/** @param next - the step after it. @param why - what was refused about it. */
export function formScreen(context: Context, step: FormStep, next: StepName, why?: string): void {
	const { words, state, calls } = context;
	const specs: readonly FieldSpec[] = FORM_STEPS[step];
	const fields = specs.map((spec) => {
		const typed = state.answers[spec.name as keyof typeof state.answers];
		return createField({ ...spec, read: (text) => spec.read(text, state.answers.dni) }, words, typed);
	});
	showForm(context, step, {
		fields,
		why,
		before: step === "name" ? [h("p", {}, words.text("nameIntro"))] : [],
		after: step === "card" ? [cardDrawings(words)] : [],
		async send(values) {
			const outcome = await calls.save({ ...values, step: next });
			if ("data" in outcome) context.accept(outcome.data);
			else context.refuse(outcome.refusal, () => context.goTo(step));
		},
	});
}

/** The PIN, twice; it is kept in this page's memory. */
export function pinScreen(context: Context, next: StepName, why?: string): void {
	const { words, calls } = context;
	const attributes = { type: "password", inputmode: "numeric", autocomplete: "new-password", maxlength: 4 };
	const pin = createField(
		{
			name: "pin",
			label: "pin",
			hint: "pinHint",
			full: 4,
			read: typedPin,
			doubt: (value) => (isCommonPin(value) ? { text: "doubtPin" } : null),
			attributes,
		},
		words,
		undefined,
	);
	const repeated = createField(
		{
			name: "pin-repeat",
			label: "pinRepeat",
			full: 4,
			read: (text) => (text === pin.input.value ? { value: text } : { problem: "pinRepeat" }),
			attributes,
		},
		words,
		undefined,
	);
	showForm(context, "pin", {
		fields: [pin, repeated],
		why,
		before: [],
		after: [pinSwitch(words, [pin, repeated])],
		async send(values) {
			const outcome = await calls.save({ step: next });
			if ("refusal" in outcome) return context.refuse(outcome.refusal, () => context.goTo("pin"));
			context.pin = values.pin!;
			context.accept(outcome.data);
		},
	});
}

interface Form {
	fields: readonly Field[];
	why: string | undefined;
	before: Child[];
	after: Child[];
	/** The values by the fields' names, all of them right. */
	send(values: Record<string, string>): Promise<void>;
}

function showForm(context: Context, step: keyof typeof TITLES, form: Form): void {
	const { words, layout, back } = context;
	const { fields, why, before, after, send } = form;
	const button = h("button", { class: "main", type: "submit" }, words.text("next"));
	let busy = false;
	// A refused value is well formed, but must not look right.
	if (why) for (const { element } of fields) element.classList.remove("good");
	const onsubmit = async (event: Event) => {
		event.preventDefault();
		const values = fields.map((field) => [field.input.name, field.value()] as const);
		const wrong = values.findIndex(([, value]) => value === null);
		if (wrong >= 0) return fields[wrong]!.input.focus();
		if (busy) return;
		busy = true;
		button.textContent = words.text("sending");
		button.setAttribute("aria-disabled", "true");
		await send(Object.fromEntries(values) as Record<string, string>);
	};
	layout.show({
		title: words.text(TITLES[step]),
		progress: progressOf(context, step),
		content: [
			trouble(context, why),
			...before,
			h(
				"form",
				{ novalidate: true, onsubmit },
				...fields.map(({ element }) => element),
				...after,
				h(
					"div",
					{ class: "actions" },
					button,
					back && h("button", { class: "quiet", type: "button", onclick: back }, words.text("back")),
				),
			),
		],
		focus: why ? undefined : fields[0]!.input,
	});
}

export function progressOf({ state }: Context, step: StepName) {
	return { step: state.steps.indexOf(step) + 1, steps: state.steps.length };
}
