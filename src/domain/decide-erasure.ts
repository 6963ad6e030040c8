import type { CodeFacts } from "./code-facts.ts";
import { VALIDATION_LIFE_MS } from "./limits.ts";
import { keptUntil } from "./retention.ts";

export type ErasureDecision =
	| { kind: "keep" }
	| {
			kind: "erase";
			set: Pick<CodeFacts, "boundRut"> & Partial<CodeFacts>;
			why: "validation_lapsed" | "retention" | "holder_asked";
	  };

/**
 * Whether a code's holder is to be erased, and what that changes of the code. A validation that nobody claimed in its
 * 90 days lapses: the code is blocked for good. A code without `boundRut` has no holder to erase.
 * @param asked - who asks for it before its time: ops erase all but an issued certificate's register; the holder an open code
 *   alone, since whoever validated somebody else's RUT would erase what an objection needs. An open code is blocked for good.
 */
export function decideErasure(
	facts: CodeFacts,
	now: number,
	asked: "holder" | "ops" | null = null,
): ErasureDecision {
	if (facts.boundRut === null) return { kind: "keep" };
	if ((asked === "ops" && facts.issuedAt === null) || (asked === "holder" && isOpen(facts)))
		return {
			kind: "erase",
			set: { boundRut: null, ...(isOpen(facts) && { blockedAt: now }) },
			why: "holder_asked",
		};
	if (hasLapsed(facts, now))
		return { kind: "erase", set: { boundRut: null, blockedAt: now }, why: "validation_lapsed" };
	const until = keptUntil(facts);
	if (until === null || until > now) return { kind: "keep" };
	return { kind: "erase", set: { boundRut: null }, why: "retention" };
}

function hasLapsed(facts: CodeFacts, now: number): boolean {
	const { validatedAt } = facts;
	return isOpen(facts) && validatedAt !== null && validatedAt + VALIDATION_LIFE_MS <= now;
}

function isOpen({ issuedAt, blockedAt, cancelledAt }: CodeFacts): boolean {
	return issuedAt === null && blockedAt === null && cancelledAt === null;
}

/**
 * Whether a validated code has lost its holder. It is issued, blocked or cancelled: without a holder nobody can claim
 * it, and without `boundRut` nobody may validate it for another RUT.
 */
export function isHolderErased({ validatedAt, issuedAt, boundRut }: CodeFacts): boolean {
	return validatedAt !== null && issuedAt === null && boundRut === null;
}
