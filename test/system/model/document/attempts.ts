import type { AttemptsLeft } from "./expected.ts";
import type { Attempts, CodeState, RutAttempts } from "./ledger.ts";
import type { Rules } from "./rules.ts";

/** Refusal of a partner call on a code, in the order of decisions: 423, then 429. A lock bars its own call only. */
export function barrier(
	kind: "request" | "claim",
	code: CodeState,
	now: number,
): { error: "LOCKED" } | { error: "ATTEMPT_LIMIT_REACHED"; retryAfter: string } | null {
	if (code.cancelledAt !== null) return { error: "LOCKED" };
	if (code.certificate) return null;
	if (code.blockedAt !== null) return { error: "LOCKED" };
	if (kind === "request" && code.requestBlockedAt !== null) return { error: "LOCKED" };
	const until = kind === "request" ? code.requestLockedUntil : code.claimLockedUntil;
	if (until === null || until <= now) return null;
	return { error: "ATTEMPT_LIMIT_REACHED", retryAfter: String(Math.ceil((until - now) / 1000)) };
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
	const isClaim = kind === "claimAttempts";
	if (locks < rules.locksUntilBlocked)
		return { ...spent, [isClaim ? "claimLockedUntil" : "requestLockedUntil"]: now + rules.lock };
	// Decisions, "ID-validation attempts": whoever holds a validated code can still claim it.
	return { ...spent, [isClaim || code.validation === null ? "blockedAt" : "requestBlockedAt"]: now };
}

/** Attempts left of the code's attempts, or of the RUT's where those are fewer. @param rut - null for a claim */
export function attemptsLeft(
	code: CodeState,
	kind: "validationAttempts" | "claimAttempts",
	rut: RutAttempts | null,
	now: number,
	rules: Rules,
): AttemptsLeft {
	const isClaim = kind === "claimAttempts";
	if (code.blockedAt !== null) return { left: 0, lockedUntil: null, closed: "code" };
	if (!isClaim && code.requestBlockedAt !== null) return { left: 0, lockedUntil: null, closed: "request" };
	const ends = [isClaim ? code.claimLockedUntil : code.requestLockedUntil, rut?.lockedUntil ?? null];
	const lockedUntil = Math.max(...ends.map((end) => end ?? 0));
	if (lockedUntil > now) return { left: 0, lockedUntil, closed: null };
	const ofRut =
		rut && now < rut.firstAt + rules.rutWindow ? rules.rutAttempts - rut.failures : rules.rutAttempts;
	const ofCode = rules[kind] - code[kind].failures;
	return { left: rules.tellsRutAttempts ? Math.min(ofCode, ofRut) : ofCode, lockedUntil: null, closed: null };
}

/** Decisions: "A success clears the count". The locks stay (0001). */
export function cleared(attempts: Attempts): Attempts {
	return { ...attempts, failures: 0 };
}
