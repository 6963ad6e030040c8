import { codeOfEnd, SESSION_ENDS } from "../../domain/onboarding-session.ts";
import type { Refusal, StepName } from "./state.ts";

/** Reaction of the page to a refusal. */
export type Reaction =
	/** The session is over, by its record's reason; null: the token is not its own. */
	| { kind: "ended"; reason: string | null }
	/** The holder corrects something there; the PIN of what is validated at the claim. */
	| { kind: "step"; step: StepName | "claim" }
	/** Nothing can be done before then, epoch milliseconds. */
	| { kind: "locked"; until: number }
	/** Nothing can be done with this code. */
	| { kind: "over" }
	/** Shows the same step again, later. */
	| { kind: "again" };

const STEP_OF_CODE: Readonly<Record<string, StepName | "claim">> = {
	ID_CARD_MISMATCH: "card",
	SERIAL_NUMBER_REQUIRED: "card",
	EXPIRATION_DATE_MISMATCH: "expiry",
	EXPIRATION_DATE_REQUIRED: "expiry",
	NAME_MISMATCH: "name",
	SSO_REJECTED: "sign_on",
	RUT_MISMATCH: "rut",
	EMAIL_IN_USE: "email",
	CREDENTIALS_MISMATCH: "claim",
};

const STEP_OF_FIELD: Readonly<Record<string, StepName>> = {
	dni: "rut",
	serialNumber: "card",
	fechaVencimiento: "expiry",
	names: "name",
	fLastname: "name",
	mLastname: "name",
	phone: "name",
	ssoCredential: "sign_on",
	email: "email",
	pin: "pin",
};

/** An end that this page does not know yet has this before its name. */
const ENDED = "SESSION_";
const OVER: readonly string[] = ["LOCKED", "CODE_EXPIRED", "CODE_ALREADY_USED", "ALREADY_ISSUED"];

export function reactTo({ status, code, field, retryAfterMs }: Refusal, now: number): Reaction {
	if (status === 401) {
		const known = SESSION_ENDS.find((end) => codeOfEnd(end) === code) ?? null;
		const isOther = known === null && code.startsWith(ENDED);
		return { kind: "ended", reason: isOther ? code.slice(ENDED.length).toLowerCase() : known };
	}
	if (OVER.includes(code)) return { kind: "over" };
	if (code === "ATTEMPT_LIMIT_REACHED") return { kind: "locked", until: now + retryAfterMs };
	const step = STEP_OF_CODE[code] ?? (status === 400 ? STEP_OF_FIELD[field ?? ""] : undefined);
	return step === undefined ? { kind: "again" } : { kind: "step", step };
}
