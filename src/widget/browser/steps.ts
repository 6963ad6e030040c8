import type { FieldSpec } from "./field.ts";
import type { StepName } from "./state.ts";
import {
	meantEmail,
	shownDate,
	shownRut,
	typedCardSerial,
	typedDate,
	typedEmail,
	typedName,
	typedPhone,
	typedRut,
} from "./typed.ts";

const NAME = { autocapitalize: "words", maxlength: 100 } as const;

/** The fields of the steps that are plain forms, by their names on the wire. */
export const FORM_STEPS = {
	rut: [
		{
			name: "dni",
			label: "rut",
			hint: "rutHint",
			full: 9,
			read: typedRut,
			show: shownRut,
			attributes: { inputmode: "text", autocomplete: "off", maxlength: 16 },
		},
	],
	card: [
		{
			name: "serialNumber",
			label: "card",
			hint: "cardHint",
			full: 10,
			read: typedCardSerial,
			attributes: { autocomplete: "off", autocapitalize: "characters", maxlength: 16 },
		},
	],
	expiry: [
		{
			name: "fechaVencimiento",
			label: "expiry",
			hint: "expiryHint",
			full: 8,
			read: typedDate,
			show: shownDate,
			attributes: { inputmode: "numeric", autocomplete: "off", maxlength: 24 },
		},
	],
	name: [
		{
			name: "names",
			label: "names",
			hint: "namesHint",
			read: typedName,
			attributes: { ...NAME, autocomplete: "given-name" },
		},
		{
			name: "fLastname",
			label: "fLastname",
			read: typedName,
			attributes: { ...NAME, autocomplete: "family-name" },
		},
		{
			name: "mLastname",
			label: "mLastname",
			optional: true,
			read: typedName,
			attributes: { ...NAME, autocomplete: "off" },
		},
		{
			name: "phone",
			label: "phone",
			hint: "phoneHint",
			read: typedPhone,
			attributes: { type: "tel", inputmode: "tel", autocomplete: "tel", maxlength: 24 },
		},
	],
	email: [
		{
			name: "email",
			label: "email",
			hint: "emailHint",
			read: typedEmail,
			doubt: (value) => {
				const meant = meantEmail(value);
				return meant === null ? null : { text: "doubtEmail", meant };
			},
			attributes: { type: "email", inputmode: "email", autocomplete: "email", maxlength: 254 },
		},
	],
} as const satisfies Partial<Record<StepName, readonly FieldSpec[]>>;

export type FormStep = keyof typeof FORM_STEPS;

export function isFormStep(step: StepName): step is FormStep {
	return step in FORM_STEPS;
}
