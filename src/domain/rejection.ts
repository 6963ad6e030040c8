import type { AttemptsLeft } from "./attempts.ts";
import type { SessionEnd } from "./onboarding-session.ts";

/** Fields that only the partner's settings, or what a session's holder has typed, ask for or forbid. */
export type ConditionalField =
	| "names"
	| "fatherSurname"
	| "phone"
	| "ssoCredential"
	| "rut"
	| "email"
	| "claim";

export interface FieldProblem {
	field: ConditionalField;
	problem: "required" | "not_allowed" | "not_in_b2b";
}

/** Why an identity check failed; each spends an attempt (decisions: ID-validation attempts). */
export type IdentityMismatch =
	| "id_card_mismatch"
	/** The card is not in force, or is another RUT's, where no serial number was asked for. */
	| "no_card_in_force"
	| "expiration_date_mismatch"
	| "name_mismatch"
	| "sso_rejected"
	| "rut_mismatch";

/** A failed check of the holder. */
interface Failure {
	reason: IdentityMismatch | "credentials_mismatch";
	/** Attempts left, once this one was counted. */
	after?: AttemptsLeft;
}

/** Every expected outcome that is not a success, keyed by reason; `src/http/rejections.ts` says what the wire may know. */
export type Rejection =
	| { reason: "unauthorized" }
	| { reason: "session_ended"; end: SessionEnd }
	| { reason: "conditional_fields"; problems: readonly FieldProblem[] }
	| { reason: "delivery_address_missing" }
	| { reason: "not_found" }
	| { reason: "cancelled" }
	| { reason: "blocked" }
	| { reason: "request_blocked" }
	| { reason: "holder_erased" }
	| { reason: "security_lock"; retryAfterMs: number }
	| { reason: "rut_locked"; retryAfterMs: number }
	| { reason: "code_already_used" }
	| { reason: "code_expired" }
	| { reason: "other_validation_in_progress" }
	| { reason: "serial_number_required" }
	| { reason: "expiration_date_required" }
	| { reason: "email_in_use" }
	| { reason: "renewal_mismatch" }
	| Failure
	| { reason: "already_issued" }
	| { reason: "validation_in_progress" }
	| { reason: "product_not_enabled" }
	| { reason: "code_quota_exceeded" }
	| { reason: "idempotency_in_progress" }
	| { reason: "idempotency_mismatch" }
	| { reason: "payload_erased" }
	| { reason: "registry_unavailable" }
	| { reason: "single_sign_on_unavailable" }
	| { reason: "service_unavailable" }
	| { reason: "outcome_unknown" };

export type RejectionReason = Rejection["reason"];

/** A decision's refusal of a validation or a claim; one that spends an attempt counts towards the code's security lock. */
export type Refusal =
	| { kind: "rejected"; rejection: Rejection; spendsAttempt: false }
	| { kind: "rejected"; rejection: Failure; spendsAttempt: true };

/** Refuses a request that was no guess: no attempt is spent. */
export function refuse(rejection: Rejection): Refusal {
	return { kind: "rejected", rejection, spendsAttempt: false };
}

/** Final answers, kept for a repeated Idempotency-Key: 200, 201, and 406 except for a running validation. */
const KEPT: ReadonlySet<RejectionReason> = new Set<RejectionReason>([
	"already_issued",
	"code_already_used",
	"code_expired",
	"serial_number_required",
	"expiration_date_required",
	"email_in_use",
	"renewal_mismatch",
	"id_card_mismatch",
	"no_card_in_force",
	"expiration_date_mismatch",
	"name_mismatch",
	"sso_rejected",
	"rut_mismatch",
	"credentials_mismatch",
]);

export function isFinal(rejection: Rejection): boolean {
	return KEPT.has(rejection.reason);
}
