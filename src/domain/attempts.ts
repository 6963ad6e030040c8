import type { AttemptKind, CodeFacts } from "./code-facts.ts";
import {
	CLAIM_ATTEMPTS,
	LOCKS_UNTIL_BLOCKED,
	RUT_ATTEMPTS,
	RUT_WINDOW_MS,
	SECURITY_LOCK_MS,
	VALIDATION_ATTEMPTS,
} from "./limits.ts";

/** Failures in a row since the last success or lock, and the locks a code has seen. */
interface AttemptCount {
	failures: number;
	locks: number;
}

interface SpentAttempt extends AttemptCount {
	/** End of the lock this failure opened, else null. */
	lockedUntil: number | null;
	/** Set when this failure opened the permanent lock. */
	blockedAt: number | null;
}

const ATTEMPTS_ALLOWED = { validation: VALIDATION_ATTEMPTS, claim: CLAIM_ATTEMPTS } as const;

/**
 * Counts one failure. The last one allowed opens a security lock; the third lock of a code is permanent.
 * @param now - epoch milliseconds.
 */
function spendAttempt(count: AttemptCount, allowed: number, now: number): SpentAttempt {
	const failures = count.failures + 1;
	if (failures < allowed) return { failures, locks: count.locks, lockedUntil: null, blockedAt: null };
	const locks = count.locks + 1;
	return locks < LOCKS_UNTIL_BLOCKED
		? { failures: 0, locks, lockedUntil: now + SECURITY_LOCK_MS, blockedAt: null }
		: { failures: 0, locks, lockedUntil: null, blockedAt: now };
}

/**
 * The facts that one failed ID validation or one failed claim changes. The permanent lock of validations closes
 * certificate_request alone once a validation has succeeded.
 */
export function failedAttempt(facts: CodeFacts, kind: AttemptKind, now: number): Partial<CodeFacts> {
	const count =
		kind === "validation"
			? { failures: facts.validationFailures, locks: facts.validationLocks }
			: { failures: facts.claimFailures, locks: facts.claimLocks };
	const { failures, locks, lockedUntil, blockedAt } = spendAttempt(count, ATTEMPTS_ALLOWED[kind], now);
	if (kind === "claim")
		return {
			claimFailures: failures,
			claimLocks: locks,
			...(lockedUntil !== null && { claimLockedUntil: lockedUntil }),
			...(blockedAt !== null && { blockedAt }),
		};
	return {
		validationFailures: failures,
		validationLocks: locks,
		...(lockedUntil !== null && { validationLockedUntil: lockedUntil }),
		...(blockedAt !== null &&
			(facts.validatedAt === null ? { blockedAt } : { validationBlockedAt: blockedAt })),
	};
}

/** Failed ID validations of a RUT over all codes of a partner. Times in epoch milliseconds. */
export interface RutAttempts {
	/** Since the last success or lock. */
	failures: number;
	firstFailedAt: number;
	lockedUntil: number | null;
}

/** The RUT's count after one more failure, as the statement that counts it in D1 leaves it (`db/rut-attempts.ts`). */
export function failedRut(before: RutAttempts | null, now: number): RutAttempts {
	const counted = countedFailures(before, now);
	const firstFailedAt = counted === 0 ? now : before!.firstFailedAt;
	const lockedUntil = before?.lockedUntil ?? null;
	return counted + 1 < RUT_ATTEMPTS
		? { failures: counted + 1, firstFailedAt, lockedUntil }
		: { failures: 0, firstFailedAt, lockedUntil: now + SECURITY_LOCK_MS };
}

function countedFailures(rut: RutAttempts | null, now: number): number {
	return rut !== null && rut.firstFailedAt > now - RUT_WINDOW_MS ? rut.failures : 0;
}

/** Tries of the PIN left for a widget session's issued certificate. @param tried - since the last right one */
export function downloadsLeft(tried = 0): AttemptsLeft {
	const left = Math.max(0, CLAIM_ATTEMPTS - tried);
	return { left, lockedUntil: null, closed: left === 0 ? "download" : null };
}

/** Attempts that a holder still has, or the reason that it has none. Times in epoch milliseconds. */
export interface AttemptsLeft {
	/** Attempts until the next lock; 0 while none is possible. */
	left: number;
	/** End of the security lock; null without one. */
	lockedUntil: number | null;
	/** Closed permanently: the code, certificate_request alone, or a widget session's download. */
	closed: "code" | "request" | "download" | null;
}

/**
 * Attempts left of the code, or of the RUT if those are fewer.
 * @param rut - of the RUT that is validated; null for a claim, and where nothing was counted.
 */
export function attemptsLeft(
	facts: CodeFacts,
	kind: AttemptKind,
	rut: RutAttempts | null,
	now: number,
): AttemptsLeft {
	const isClaim = kind === "claim";
	const isRequestClosed = !isClaim && facts.validationBlockedAt !== null;
	const closed = facts.blockedAt !== null ? "code" : isRequestClosed ? "request" : null;
	if (closed) return { left: 0, lockedUntil: null, closed };
	const ends = [isClaim ? facts.claimLockedUntil : facts.validationLockedUntil, rut?.lockedUntil ?? null];
	const lockedUntil = Math.max(...ends.map((end) => end ?? 0));
	if (lockedUntil > now) return { left: 0, lockedUntil, closed };
	const ofCode = ATTEMPTS_ALLOWED[kind] - (isClaim ? facts.claimFailures : facts.validationFailures);
	return { left: Math.min(ofCode, RUT_ATTEMPTS - countedFailures(rut, now)), lockedUntil: null, closed };
}
