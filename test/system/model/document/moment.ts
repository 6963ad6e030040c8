import type { Ledger } from "./ledger.ts";
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
