import type { Context } from "hono";
import type { AttemptsLeft } from "../domain/attempts.ts";
import { SECURITY_LOCK_MS } from "../domain/limits.ts";
import { codeOfEnd } from "../domain/onboarding-session.ts";
import type { ConditionalField, Rejection, RejectionReason } from "../domain/rejection.ts";
import { sayAfter } from "../texts/attempts.ts";
import { HINTS, type Hint } from "../texts/hints.ts";
import type { Language } from "../texts/language.ts";
import type { AppEnv } from "./app-env.ts";
import { type ErrorAnswer, type ErrorDetail, errorAnswer, type SessionDetail } from "./errors.ts";

/** Names of the conditional fields on the wire (§4.1). */
const WIRE_FIELD: Record<ConditionalField, string> = {
	names: "names",
	fatherSurname: "fLastname",
	phone: "phone",
	ssoCredential: "ssoCredential",
	rut: "dni",
	email: "email",
	claim: "claim",
};

const FIELD_PROBLEM = {
	required: { code: "REQUIRED", hint: "fieldRequired" },
	not_allowed: { code: "NOT_ALLOWED", hint: "fieldNotAllowed" },
	not_in_b2b: { code: "NOT_ALLOWED", hint: "claimInB2b" },
} as const satisfies Record<string, { code: ErrorDetail["code"]; hint: Hint }>;

/** The one mapper from a rejection to its answer. */
export function rejectionAnswer<Reason extends RejectionReason>(
	c: Context<AppEnv>,
	rejection: Rejection & { reason: Reason },
): ErrorAnswer<Reason> {
	const retryAfter = retryAfterSeconds(rejection, c.get("isReplayed"));
	if (retryAfter !== null) c.header("Retry-After", String(retryAfter));
	const details = fieldDetails(rejection, c.get("language"));
	const after = afterOf(rejection);
	return errorAnswer(c, rejection.reason, {
		...(details && { details }),
		more: after && sayAfter(after),
	});
}

/** Reads what a failure that spent an attempt has left; null for any other refusal. */
function afterOf(rejection: Rejection): AttemptsLeft | null {
	return ("after" in rejection && rejection.after) || null;
}

function fieldDetails(rejection: Rejection, language: Language): (ErrorDetail | SessionDetail)[] | undefined {
	if (rejection.reason === "session_ended") {
		return [{ code: codeOfEnd(rejection.end), message: HINTS.sessionEnded[language] }];
	}
	if (rejection.reason !== "conditional_fields") return undefined;
	return rejection.problems.map(({ field, problem }) => {
		const { code, hint } = FIELD_PROBLEM[problem];
		return { field: WIRE_FIELD[field], code, message: HINTS[hint][language] };
	});
}

/** Seconds: a validation takes a few, an upstream that failed rather more. */
const RETRY_SOON = 3;
const RETRY_LATER = 30;

function retryAfterSeconds(rejection: Rejection, isReplayed: boolean | undefined): number | null {
	// The lock that the first answer opened may be over.
	if (!isReplayed && afterOf(rejection)?.lockedUntil) return SECURITY_LOCK_MS / 1000;
	switch (rejection.reason) {
		case "security_lock":
		case "rut_locked":
			return Math.ceil(rejection.retryAfterMs / 1000);
		case "validation_in_progress":
		case "idempotency_in_progress":
			return RETRY_SOON;
		case "registry_unavailable":
		case "single_sign_on_unavailable":
		case "delivery_address_missing":
		case "service_unavailable":
		case "outcome_unknown":
			return RETRY_LATER;
		default:
			return null;
	}
}
