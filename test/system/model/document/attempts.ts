import type { Attempts, CodeState } from "./ledger.ts";
import type { Rules } from "./rules.ts";

/** Refusal of a partner call on a code, in the order of decisions: 423, then 429. A claim lock bars claims only. */
export function barrier(
	kind: "request" | "claim",
	code: CodeState,
	now: number,
): { error: "LOCKED" } | { error: "ATTEMPT_LIMIT_REACHED"; retryAfter: string } | null {
	if (code.cancelledAt !== null) return { error: "LOCKED" };
	if (code.certificate) return null;
	if (code.blockedAt !== null) return { error: "LOCKED" };
	const { lock } = code;
	if (lock === null || lock.until <= now || (lock.by === "claim" && kind === "request")) return null;
	return { error: "ATTEMPT_LIMIT_REACHED", retryAfter: String(Math.ceil((lock.until - now) / 1000)) };
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
	const by = kind === "claimAttempts" ? "claim" : "validation";
	return locks < rules.locksUntilBlocked
		? { ...spent, lock: { until: now + rules.lock, by } }
		: { ...spent, blockedAt: now };
}

/** Decisions: "A success clears the count". The locks stay (0001). */
export function cleared(attempts: Attempts): Attempts {
	return { ...attempts, failures: 0 };
}
