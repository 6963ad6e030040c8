import type { Attempts, CodeState } from "./ledger.ts";
import type { Rules } from "./rules.ts";

/** What bars every partner call on a code, in the order of decisions: 423, then 429. */
export function barrier(
	code: CodeState,
	now: number,
): { error: "LOCKED" } | { error: "ATTEMPT_LIMIT_REACHED"; retryAfter: string } | null {
	if (code.cancelledAt !== null) return { error: "LOCKED" };
	if (code.certificate) return null;
	if (code.blockedAt !== null) return { error: "LOCKED" };
	if (code.lockedUntil === null || code.lockedUntil <= now) return null;
	return {
		error: "ATTEMPT_LIMIT_REACHED",
		retryAfter: String(Math.ceil((code.lockedUntil - now) / 1000)),
	};
}

/**
 * One more failure in a row. The documents count locks "of a code" for validations and for claims in one row each,
 * so each kind has its own count.
 */
export function spend(
	code: CodeState,
	kind: "validationAttempts" | "claimAttempts",
	now: number,
	rules: Rules,
): Partial<CodeState> {
	const count: Attempts = code[kind];
	const failures = count.failures + 1;
	if (failures < rules[kind]) return { [kind]: { ...count, failures }, updatedAt: now };
	const locks = count.locks + 1;
	const spent = { [kind]: { failures: 0, locks }, updatedAt: now };
	return locks < rules.locksUntilBlocked
		? { ...spent, lockedUntil: now + rules.lock }
		: { ...spent, blockedAt: now };
}

/** Decisions: "A success clears the count". The locks stay (0001). */
export function cleared(attempts: Attempts): Attempts {
	return { ...attempts, failures: 0 };
}
