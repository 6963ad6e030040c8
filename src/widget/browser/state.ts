import type { DeliveryStanding } from "../../domain/delivery-standing.ts";

/* The answers of the frame's calls, as the page uses them; `src/wire/session.ts` makes them. */

export type StepName = "rut" | "card" | "expiry" | "name" | "sign_on" | "email" | "pin" | "review";

type AnswerName =
	| "dni"
	| "serialNumber"
	| "fechaVencimiento"
	| "names"
	| "fLastname"
	| "mLastname"
	| "phone"
	| "email";

export type Answers = Partial<Record<AnswerName, string>>;

export interface State {
	session_id: string;
	p_code: string;
	status: "open" | "validated" | "emitted";
	/** This call has started the session. */
	begins: boolean;
	/** Steps of the partner's present configuration, in order. */
	steps: readonly StepName[];
	step: StepName;
	answers: Answers;
	sign_on: "none" | "pending" | "verified" | "other_person" | "cancelled" | "unavailable";
	/** Attempts of the validation while `status` is open, of the claim while it is validated, then of the download. */
	attempts: Attempts;
	/** The holder downloads the certificate here. */
	claim: boolean;
	mode: "B2C" | "B2B";
	/** B2B, once emitted. */
	delivery?: { status: DeliveryStanding["status"]; next_attempt_at: string | null };
	/** RFC 3339. */
	expires_at: string;
	terms: { version: string; terms_url: string; privacy_url: string };
}

interface Attempts {
	/** Until the next lock; 0 while none is possible. */
	left: number;
	/** End of the security lock, RFC 3339; null without one. */
	locked_until: string | null;
	/** None will ever be possible again. */
	closed: boolean;
}

export interface Claimed {
	/** PFX, base64. */
	certificate: string;
	file_name: string;
	validTo: string;
}

export interface Refusal {
	status: number;
	/**
	 * `details[].code` of a 406 and of the 401 of an ended session, else `error`; CONNECTION_LOST when a call that must
	 * not be repeated blindly had no answer.
	 */
	code: string;
	/** Present in a 400. */
	field?: string | undefined;
	retryAfterMs: number;
}
