import type { CodeFacts } from "./code-facts.ts";

/** Event that a change of a code is to its partner, besides an issued certificate. Times in epoch milliseconds. */
export type CodeEvent =
	| { event: "pcode.validated" }
	| { event: "pcode.locked"; reason: LockReason | null; lockedUntil: number | null; permanent: boolean }
	| { event: "pcode.cancelled"; serial: string | null };

/** The facts a change sets. */
export type ChangedFacts = { [Fact in keyof CodeFacts]?: CodeFacts[Fact] | undefined };

type LockReason = "validation_attempts" | "claim_attempts";

/**
 * The event of a change, or null without one: §3.3's transitions into VALIDATED, LOCKED and
 * CANCELLED. A change that issues has that event alone.
 */
export function eventOf(before: CodeFacts, set: ChangedFacts): CodeEvent | null {
	if (set.cancelledAt != null && before.cancelledAt === null)
		return { event: "pcode.cancelled", serial: set.certificateSerial ?? before.certificateSerial };
	const locks = (["validationLockedUntil", "claimLockedUntil"] as const).filter(
		(lock) => set[lock] != null && set[lock] !== before[lock],
	);
	const lockedUntil = locks.map((lock) => set[lock]!)[0] ?? null;
	const permanent = (["blockedAt", "validationBlockedAt"] as const).some(
		(block) => set[block] != null && before[block] === null,
	);
	if (lockedUntil !== null || permanent)
		return { event: "pcode.locked", reason: lockReason(before, set), lockedUntil, permanent };
	if (set.validatedAt != null && set.issuedAt == null) return { event: "pcode.validated" };
	return null;
}

/** Reason of a lock; null for a block without an attempt, whose author gives the reason. */
function lockReason(before: CodeFacts, set: ChangedFacts): LockReason | null {
	if (set.validationLocks !== undefined && set.validationLocks > before.validationLocks)
		return "validation_attempts";
	return set.claimLocks !== undefined && set.claimLocks > before.claimLocks ? "claim_attempts" : null;
}
