import { changePartner, type Ledger, type RutAttempts } from "./ledger.ts";
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
