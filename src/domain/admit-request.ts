import type { AttemptKind, CodeFacts } from "./code-facts.ts";
import { expiresAt } from "./code-facts.ts";
import { type DeliveryAddresses, lacksDeliveryAddress } from "./delivery-address.ts";
import { asksCardSerial, asksSingleSignOn, type PartnerSettings } from "./partner-settings.ts";
import { type FieldProblem, type Refusal, type Rejection, refuse } from "./rejection.ts";

/** Fields of a certificate_request that the decision needs; `undefined` was not sent. */
export interface RequestedValidation {
	/** Keyed index of the RUT, as the facts hold it. */
	rutIndex: string;
	cardSerial: string | undefined;
	cardExpiry: string | undefined;
	names: string | undefined;
	fatherSurname: string | undefined;
	phone: string | undefined;
	ssoCredential: string | undefined;
}

export type Admission = { kind: "admitted" } | Refusal;

interface Surroundings {
	/** Another step of this code holds its lease. */
	busy: boolean;
	/** Keyed index of the RUT that owns the e-mail with this partner, or null. */
	emailOwner: string | null;
	/** The renewed certificate, if any, has the RUT and partner of the request. */
	renewable: boolean;
	/** End of the lock that the RUT is under, over all codes; null without one. */
	rutLockedUntil: number | null;
	/** The authority could issue the code's certificate now. */
	issuable: boolean;
	now: number;
}

/**
 * Decides a certificate_request as far as possible without the registry, in the order of decisions ("Order of checks"):
 * shape the settings ask for, existence, blocks, locks, business rules.
 */
export function admitRequest(
	facts: CodeFacts | null,
	settings: PartnerSettings & DeliveryAddresses,
	request: RequestedValidation,
	{ busy, emailOwner, renewable, rutLockedUntil, issuable, now }: Surroundings,
): Admission {
	const problems = fieldProblems(settings, request);
	if (problems.length > 0) return refuse({ reason: "conditional_fields", problems });
	if (lacksDeliveryAddress(settings)) return refuse({ reason: "delivery_address_missing" });
	if (facts === null) return refuse({ reason: "not_found" });
	const closed = closedToValidation(facts, { busy, rutLockedUntil, now });
	if (closed) return refuse(closed);
	if (asksCardSerial(settings) && request.cardSerial === undefined)
		return refuse({ reason: "serial_number_required" });
	if (settings.validateCardExpiry && request.cardExpiry === undefined)
		return refuse({ reason: "expiration_date_required" });
	if (!issuable) return refuse({ reason: "service_unavailable" });
	if (facts.boundRut !== null && facts.boundRut !== request.rutIndex)
		return { kind: "rejected", rejection: { reason: "rut_mismatch" }, spendsAttempt: true };
	if (emailOwner !== null && emailOwner !== request.rutIndex) return refuse({ reason: "email_in_use" });
	if (!renewable) return refuse({ reason: "renewal_mismatch" });
	return { kind: "admitted" };
}

/** Reason that a code takes no validation now, whatever the request: blocked, locked, used, past its window, busy. */
export function closedToValidation(
	facts: CodeFacts,
	{ busy, rutLockedUntil, now }: Pick<Surroundings, "busy" | "rutLockedUntil" | "now">,
): Rejection | null {
	const closed = closedTo("validation", facts, now);
	if (closed) return closed;
	if (rutLockedUntil !== null && rutLockedUntil > now)
		return { reason: "rut_locked", retryAfterMs: rutLockedUntil - now };
	if (facts.issuedAt !== null) return { reason: "code_already_used" };
	if (facts.validatedAt === null && expiresAt(facts.createdAt) <= now) return { reason: "code_expired" };
	return busy ? { reason: "other_validation_in_progress" } : null;
}

/** 423 and 429 of a partner's call on a code: cancelled, blocked before issue, or under the lock of that call. */
export function closedTo(attempt: AttemptKind, facts: CodeFacts, now: number): Rejection | null {
	if (facts.cancelledAt !== null) return { reason: "cancelled" };
	if (facts.issuedAt !== null) return null;
	if (facts.blockedAt !== null) return { reason: "blocked" };
	if (attempt === "validation" && facts.validationBlockedAt !== null) return { reason: "request_blocked" };
	const lockedUntil = attempt === "validation" ? facts.validationLockedUntil : facts.claimLockedUntil;
	if (lockedUntil !== null && lockedUntil > now)
		return { reason: "security_lock", retryAfterMs: lockedUntil - now };
	return null;
}

function fieldProblems(settings: PartnerSettings, request: RequestedValidation): FieldProblem[] {
	const nameFields = ["names", "fatherSurname", "phone"] as const;
	if (settings.requireCardSerial)
		return nameFields
			.filter((field) => request[field] !== undefined)
			.map((field) => ({ field, problem: "not_allowed" }));
	const required = asksSingleSignOn(settings) ? ([...nameFields, "ssoCredential"] as const) : nameFields;
	return required
		.filter((field) => request[field] === undefined)
		.map((field) => ({ field, problem: "required" }));
}
