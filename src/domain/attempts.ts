import type { AttemptKind, CodeFacts } from "./code-facts.ts";
import { CLAIM_ATTEMPTS, LOCKS_UNTIL_BLOCKED, SECURITY_LOCK_MS, VALIDATION_ATTEMPTS } from "./limits.ts";

/** Failures in a row since the last success or lock, and the locks a code has seen. */
export interface AttemptCount {
	failures: number;
	locks: number;
}

export interface SpentAttempt extends AttemptCount {
	/** End of the lock this failure opened, else null. */
	lockedUntil: number | null;
	/** Set when this failure opened the permanent lock. */
	blockedAt: number | null;
}

export const ATTEMPTS_ALLOWED = { validation: VALIDATION_ATTEMPTS, claim: CLAIM_ATTEMPTS } as const;

/**
 * Counts one failure. The last one allowed opens a security lock; the third lock of a code is permanent.
 * @param now - epoch milliseconds.
 */
export function spendAttempt(count: AttemptCount, allowed: number, now: number): SpentAttempt {
	const failures = count.failures + 1;
	if (failures < allowed) return { failures, locks: count.locks, lockedUntil: null, blockedAt: null };
	const locks = count.locks + 1;
	return locks < LOCKS_UNTIL_BLOCKED
		? { failures: 0, locks, lockedUntil: now + SECURITY_LOCK_MS, blockedAt: null }
		: { failures: 0, locks, lockedUntil: null, blockedAt: now };
}

/** The facts that one failed ID validation or one failed claim changes. */
export function failedAttempt(facts: CodeFacts, kind: AttemptKind, now: number): Partial<CodeFacts> {
	const count =
		kind === "validation"
			? { failures: facts.validationFailures, locks: facts.validationLocks }
			: { failures: facts.claimFailures, locks: facts.claimLocks };
	const spent = spendAttempt(count, ATTEMPTS_ALLOWED[kind], now);
	return {
		...(kind === "validation"
			? { validationFailures: spent.failures, validationLocks: spent.locks }
			: { claimFailures: spent.failures, claimLocks: spent.locks }),
		...(spent.lockedUntil !== null && { lockedUntil: spent.lockedUntil, lockKind: kind }),
		...(spent.blockedAt !== null && { blockedAt: spent.blockedAt }),
	};
}
