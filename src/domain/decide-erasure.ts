import type { CodeFacts } from "./code-facts.ts";
import { VALIDATION_LIFE_MS } from "./limits.ts";
import { keptUntil } from "./retention.ts";

export type ErasureDecision =
	| { kind: "keep" }
	| {
			kind: "erase";
			set: Pick<CodeFacts, "boundRut"> & Partial<CodeFacts>;
			why: "validation_lapsed" | "retention";
	  };

/**
 * Whether a code's holder is to be erased, and what that changes of the code. A validation that nobody claimed in its
 * 90 days lapses: the code is blocked for good. A code without `boundRut` has no holder to erase.
 */
export function decideErasure(facts: CodeFacts, now: number): ErasureDecision {
	if (facts.boundRut === null) return { kind: "keep" };
	if (hasLapsed(facts, now))
		return { kind: "erase", set: { boundRut: null, blockedAt: now }, why: "validation_lapsed" };
	const until = keptUntil(facts);
	if (until === null || until > now) return { kind: "keep" };
	return { kind: "erase", set: { boundRut: null }, why: "retention" };
}

function hasLapsed({ validatedAt, issuedAt, blockedAt, cancelledAt }: CodeFacts, now: number): boolean {
	const isOpen = issuedAt === null && blockedAt === null && cancelledAt === null;
	return isOpen && validatedAt !== null && validatedAt + VALIDATION_LIFE_MS <= now;
}

/**
 * Whether a validated code has lost its holder. It is issued, blocked or cancelled: without a holder nobody can claim
 * it, and without `boundRut` nobody may validate it for another RUT.
 */
export function isHolderErased({ validatedAt, issuedAt, boundRut }: CodeFacts): boolean {
	return validatedAt !== null && issuedAt === null && boundRut === null;
}
