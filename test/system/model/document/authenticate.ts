import type { Call } from "./calls.ts";
import { error, type Outcome } from "./expected.ts";
import type { Ledger, PartnerState } from "./ledger.ts";
import type { Rules } from "./rules.ts";

/** When something happens to what is a partner's (decision 18). */
export interface Moment {
	/** Time by the partner's own clock. */
	now: number;
	/** Time by the real clock. */
	at: number;
	rules: Rules;
}

export function momentOf({ partners }: Ledger, partner: string, at: number, rules: Rules): Moment {
	return { now: at + (partners[partner]?.clockOffset ?? 0), at, rules };
}

/** Choice of the model where the documents leave one. */
export interface Reading {
	rules: Rules;
	/** The key of a suspended partner still works within the 60 s that decisions grant. */
	lingering: boolean;
}

export interface Caller {
	id: string;
	partner: PartnerState;
}

/** §5: whose key it is, or null for one that is missing, unknown, or of a suspended partner. */
export function authenticate(ledger: Ledger, key: string, now: number, reading: Reading): Caller | null {
	const partner = ledger.partners[key];
	if (!partner) return null;
	const end = partner.suspendedAt ?? Number.POSITIVE_INFINITY;
	const lingers = reading.lingering ? reading.rules.lingering : 0;
	return now < end + lingers ? { id: key, partner } : null;
}

/** Whether the partner was suspended so lately that the service may not everywhere know. */
export function mayLinger(ledger: Ledger, call: Call, now: number, rules: Rules): boolean {
	if (!("key" in call) || MANAGE.includes(call.kind)) return false;
	const lately = authenticate(ledger, call.key, now, { rules, lingering: true });
	return lately !== null && authenticate(ledger, call.key, now, { rules, lingering: false }) === null;
}

/** Calls of scope `manage`: an ended key never lingers for them (0001). */
export const MANAGE: readonly string[] = ["advance"];

/** Decisions: the same body for every wrong key. */
export function unauthorized(ledger: Ledger, kind: string): Outcome {
	return { ledger, expected: { ...error(kind, "UNAUTHORIZED"), bytes: "401" } };
}
