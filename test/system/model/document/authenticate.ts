import { error, type Outcome } from "./expected.ts";
import type { Ledger, PartnerState } from "./ledger.ts";
import type { Rules } from "./rules.ts";

/** How the model reads what the documents leave to the moment. */
export interface Reading {
	rules: Rules;
	/** Keys that ended, and keys of suspended partners, still work within the 60 s that decisions grant. */
	lingering: boolean;
}

export interface Caller {
	id: string;
	partner: PartnerState;
}

/** §5: whose key it is, or null for one that is missing, unknown, revoked, or of a suspended partner. */
export function authenticate(ledger: Ledger, key: string, now: number, reading: Reading): Caller | null {
	const state = ledger.keys[key];
	if (!state) return null;
	const partner = ledger.partners[state.partner]!;
	const ended = endOf(state.revokedAt, partner.suspendedAt);
	const end = reading.lingering ? ended + reading.rules.lingering : ended;
	return now < end ? { id: state.partner, partner } : null;
}

/** Whether the key has ended so lately that the service may not everywhere know. */
export function mayLinger(ledger: Ledger, key: string, now: number, rules: Rules): boolean {
	const lately = authenticate(ledger, key, now, { rules, lingering: true });
	return lately !== null && authenticate(ledger, key, now, { rules, lingering: false }) === null;
}

function endOf(revokedAt: number | null, suspendedAt: number | null): number {
	return Math.min(revokedAt ?? Number.POSITIVE_INFINITY, suspendedAt ?? Number.POSITIVE_INFINITY);
}

/** Decisions: the same body for every wrong key. */
export function unauthorized(ledger: Ledger, kind: string): Outcome {
	return { ledger, expected: { ...error(kind, "UNAUTHORIZED"), bytes: "401" } };
}
