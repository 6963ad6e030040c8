import type { Call } from "./calls.ts";
import type { AttemptsLeft } from "./expected.ts";
import { type Attempts, type CodeState, changePartner, type Ledger, type RutAttempts } from "./ledger.ts";
import type { Rules } from "./rules.ts";

/* Decisions, "attempts over many codes": the failed validations of one RUT at one partner, whatever the code. */

/** Seconds until the RUT may be validated again, as `Retry-After` has them; null when nothing bars it. */
export function rutBarrier(ledger: Ledger, partner: string, rut: string, now: number): string | null {
	const until = ledger.partners[partner]!.rutAttempts[rut]?.lockedUntil ?? null;
	return until === null || until <= now ? null : String(Math.ceil((until - now) / 1000));
}

/** One more failure: the last one allowed within a day of the first locks the RUT, and the count begins anew. */
export function spendRut(ledger: Ledger, partner: string, rut: string, now: number, rules: Rules): Ledger {
	const before = rutAttemptsOf(ledger, partner, rut);
	return change(ledger, partner, rut, rutAfterFailure(before, now, rules));
}

export function rutAfterFailure(before: RutAttempts | null, now: number, rules: Rules): RutAttempts {
	const counts = before !== null && before.failures > 0 && now < before.firstAt + rules.rutWindow;
	const failures = (counts ? before.failures : 0) + 1;
	const firstAt = counts ? before.firstAt : now;
	const lockedUntil = failures < rules.rutAttempts ? (before?.lockedUntil ?? null) : now + rules.lock;
	return { failures: failures < rules.rutAttempts ? failures : 0, firstAt, lockedUntil };
}

export function rutAttemptsOf(ledger: Ledger, partner: string, rut: string | undefined): RutAttempts | null {
	return (rut !== undefined && ledger.partners[partner]!.rutAttempts[rut]) || null;
}

/** A success clears them. */
export function clearRut(ledger: Ledger, partner: string, rut: string): Ledger {
	return change(ledger, partner, rut, { failures: 0, firstAt: 0, lockedUntil: null });
}

function change(ledger: Ledger, partner: string, rut: string, attempts: RutAttempts): Ledger {
	const { rutAttempts } = ledger.partners[partner]!;
	return changePartner(ledger, partner, { rutAttempts: { ...rutAttempts, [rut]: attempts } });
}

/** The security locks that a partner's call opened or ended: outcomes that its answer does not report. */
export function lockChanges(kind: Call["kind"], before: Ledger, after: Ledger, at: number): string[] {
	if (kind !== "request" && kind !== "claim") return [];
	const locksRut = Object.entries(after.partners).some(([name, { rutAttempts }]) =>
		Object.entries(rutAttempts).some(
			([rut, { lockedUntil }]) =>
				lockedUntil !== null && lockedUntil !== before.partners[name]!.rutAttempts[rut]?.lockedUntil,
		),
	);
	const ofCodes = Object.entries(after.codes).flatMap(([name, code]) => {
		const was = before.codes[name] ?? code;
		if (code.blockedAt !== was.blockedAt) return [`${kind} locks for good`];
		if (code.requestBlockedAt !== was.requestBlockedAt) return [`${kind} closes requests for good`];
		const locks = ["requestLockedUntil", "claimLockedUntil"] as const;
		if (locks.some((lock) => code[lock] !== null && code[lock] !== was[lock])) return [`${kind} locks`];
		const { clockOffset } = after.partners[code.partner]!;
		const isOn = (was.claimLockedUntil ?? 0) > at + clockOffset;
		return code.claimLockedUntil === null && isOn ? [`${kind} ends a lock of claims`] : [];
	});
	return locksRut ? [`${kind} locks a RUT`, ...ofCodes] : ofCodes;
}

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
