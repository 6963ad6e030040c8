import { closedToValidation } from "./admit-request.ts";
import type { CodeFacts } from "./code-facts.ts";
import { type DeliveryAddresses, lacksDeliveryAddress } from "./delivery-address.ts";
import type { Rejection } from "./rejection.ts";

/** Values of the call that a refusal may depend on; `undefined` was not sent. */
export interface RequestedSession {
	claim: boolean | undefined;
	/** Keyed index of the RUT that the session is for. */
	rutIndex: string | undefined;
}

interface Surroundings {
	/** Another step of this code holds its lease. */
	busy: boolean;
	/** Keyed index of the RUT that owns the session's e-mail with this partner, or null. */
	emailOwner: string | null;
	rutLockedUntil: number | null;
	/** The authority could issue the code's certificate now. */
	issuable: boolean;
	now: number;
}

/**
 * Every refusal of a certificate_request that is known before the holder comes, in that call's order. A RUT that is not
 * the code's is not refused here: without spending an attempt that would be a free guess.
 */
export function admitOnboarding(
	facts: CodeFacts | null,
	partner: DeliveryAddresses,
	{ claim, rutIndex }: RequestedSession,
	{ emailOwner, issuable, ...surroundings }: Surroundings,
): Rejection | null {
	if (partner.mode === "B2B" && claim !== undefined)
		return { reason: "conditional_fields", problems: [{ field: "claim", problem: "not_in_b2b" }] };
	if (lacksDeliveryAddress(partner)) return { reason: "delivery_address_missing" };
	if (facts === null) return { reason: "not_found" };
	const closed = closedToValidation(facts, surroundings);
	if (closed) return closed;
	if (!issuable) return { reason: "service_unavailable" };
	if (rutIndex !== undefined && emailOwner !== null && emailOwner !== rutIndex)
		return { reason: "email_in_use" };
	return null;
}
