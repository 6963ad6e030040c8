import type { CodeFacts } from "./code-facts.ts";
import { isHolderErased } from "./decide-erasure.ts";
import type { Rejection } from "./rejection.ts";

export type OpsVerb = "cancel" | "block" | "unblock";

export type OpsDecision =
	| { kind: "change"; set: Partial<CodeFacts>; revokes: string | null }
	| { kind: "unchanged" }
	| { kind: "rejected"; rejection: Rejection };

/**
 * Cancelling and blocking by ops (decisions: who sets CANCELLED). Repeating a verb changes nothing.
 * @returns `revokes`: serial of the certificate that the change makes void.
 */
export function decideOps(verb: OpsVerb, facts: CodeFacts | null, now: number): OpsDecision {
	if (facts === null) return { kind: "rejected", rejection: { reason: "not_found" } };
	switch (verb) {
		case "cancel":
			return facts.cancelledAt === null
				? { kind: "change", set: { cancelledAt: now }, revokes: facts.certificateSerial }
				: { kind: "unchanged" };
		case "block":
			if (facts.cancelledAt !== null) return { kind: "rejected", rejection: { reason: "cancelled" } };
			if (facts.issuedAt !== null) return { kind: "rejected", rejection: { reason: "code_already_used" } };
			return facts.blockedAt === null
				? { kind: "change", set: { blockedAt: now }, revokes: null }
				: { kind: "unchanged" };
		case "unblock":
			if (facts.cancelledAt !== null) return { kind: "rejected", rejection: { reason: "cancelled" } };
			if (isHolderErased(facts)) return { kind: "rejected", rejection: { reason: "holder_erased" } };
			return isCleared(facts) ? { kind: "unchanged" } : { kind: "change", set: CLEARED, revokes: null };
	}
}

/** Cancels a replaced code, unless its certificate was issued or it was cancelled before. */
export function voidToReplace(facts: CodeFacts, now: number): Partial<CodeFacts> {
	return facts.issuedAt === null && facts.cancelledAt === null ? { cancelledAt: now } : {};
}

const CLEARED = {
	blockedAt: null,
	validationLockedUntil: null,
	validationBlockedAt: null,
	claimLockedUntil: null,
	validationFailures: 0,
	validationLocks: 0,
	claimFailures: 0,
	claimLocks: 0,
} satisfies Partial<CodeFacts>;

function isCleared(facts: CodeFacts): boolean {
	return Object.entries(CLEARED).every(([fact, value]) => facts[fact as keyof typeof CLEARED] === value);
}
