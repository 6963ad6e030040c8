import type { CallOf } from "./calls.ts";
import { error, made, type Outcome, success } from "./expected.ts";
import { type Ledger, nextName, type PartnerState } from "./ledger.ts";
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

export interface Caller {
	id: string;
	partner: PartnerState;
}

/** §5: whose key it is, or null for one that is missing or unknown. */
export function authenticate({ partners }: Ledger, key: string): Caller | null {
	const partner = partners[key];
	return partner ? { id: key, partner } : null;
}

/** Decisions: the same body for every wrong key. */
export function unauthorized(ledger: Ledger, kind: string): Outcome {
	return { ledger, expected: { ...error(kind, "UNAUTHORIZED"), bytes: "401" } };
}

/** Creates a partner with a key of every scope. */
export function applyCreatePartner(ledger: Ledger, { settings }: CallOf<"create partner">): Outcome {
	const partner = nextName("p", ledger, "partners");
	const state = { settings, clockOffset: 0, rutAttempts: {}, emissions: [], move: null };
	const facts = { id: made("partner", partner), ...settings };
	const data = { partner: { $: "with", fields: facts }, api_key: made("key", partner) } as const;
	return {
		ledger: { ...ledger, partners: { ...ledger.partners, [partner]: state } },
		expected: success("create partner", 201, { $: "with", fields: data }),
	};
}
