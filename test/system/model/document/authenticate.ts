import type { Call } from "./calls.ts";
import { error, type Outcome } from "./expected.ts";
import type { KeyState, Ledger, PartnerState, Scope } from "./ledger.ts";
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

/** Where calls come from with a key that is not for any address; all others say nothing of it. */
export const OUR_ADDRESS = "192.0.2.7";
export const OUR_RANGE = "192.0.2.0/24";

/** §5: whose key it is, or null for one that is missing, unknown, over, for other addresses, or of a suspended partner. */
export function authenticate(ledger: Ledger, key: string, now: number, reading: Reading): Caller | null {
	const state = ledger.keys[key];
	if (!state) return null;
	const { rules, lingering } = reading;
	const partner = ledger.partners[state.partner]!;
	const ended = Math.min(state.revokedAt ?? NEVER, partner.suspendedAt ?? NEVER);
	const end = lingering ? ended + rules.lingering : ended;
	const isOver = rules.keysExpire && state.expiresAt !== null && state.expiresAt <= now;
	const isElsewhere = rules.rangesMatter && state.cidrs !== null && !state.cidrs.includes(OUR_RANGE);
	return now < end && !isOver && !isElsewhere ? { id: state.partner, partner } : null;
}

const NEVER = Number.POSITIVE_INFINITY;

/** What a call's key must be good for; `reads`: `read` and `manage` suffice too. Null: no call of a partner. */
export function scopeOf({ kind }: Call): { scope: Scope; reads: boolean } | null {
	const [scope, reads] = SCOPES[kind] ?? [];
	return scope === undefined ? null : { scope, reads: reads === "reads" };
}

/** Decisions, "Keys". A call that only reads is told by its method, but the search by RUT, whose RUT is in the body. */
const SCOPES: Record<string, readonly [Scope] | readonly [Scope, "reads"]> = {
	bulk: ["codes"],
	list: ["codes", "reads"],
	csv: ["codes", "reads"],
	request: ["redeem"],
	claim: ["redeem"],
	status: ["redeem", "reads"],
	"make session": ["redeem"],
	"show session": ["redeem", "reads"],
	"end session": ["redeem"],
	"own deliveries": ["read", "reads"],
	"own delivery": ["read", "reads"],
	"own webhook": ["read", "reads"],
	"own settings": ["read", "reads"],
	"own code": ["read", "reads"],
	"own certificates": ["read", "reads"],
	"search by RUT": ["read", "reads"],
	"own usage": ["read", "reads"],
	"own keys": ["read", "reads"],
	"own resend": ["manage"],
	"set webhook": ["manage"],
	"test webhook": ["manage"],
	"own secret": ["manage"],
	"set email": ["manage"],
	"set reminders": ["manage"],
	"own cancel": ["manage"],
	"own revocation": ["manage"],
	"add own key": ["manage"],
	"rotate own key": ["manage"],
	"revoke own key": ["manage"],
	advance: ["manage"],
	"own widget": ["read", "reads"],
	"set flow": ["manage"],
	"example of": ["manage"],
	"set widget": ["manage"],
};

/** Whether the key of a call, if it is a good one, is good for the call: the next check after the key (0001). */
export function isForScope(ledger: Ledger, call: Call, now: number, reading: Reading): boolean {
	const asked = scopeOf(call);
	if (!asked || !("key" in call) || !reading.rules.scopesMatter) return true;
	return authenticate(ledger, call.key, now, reading) === null || permits(ledger.keys[call.key]!, asked);
}

export function permits({ scopes }: KeyState, { scope, reads }: { scope: Scope; reads: boolean }): boolean {
	return scopes.includes(scope) || (reads && (scopes.includes("read") || scopes.includes("manage")));
}

/** Whether the key has ended so lately that the service may not everywhere know. */
export function mayLinger(ledger: Ledger, key: string, now: number, rules: Rules): boolean {
	const lately = authenticate(ledger, key, now, { rules, lingering: true });
	return lately !== null && authenticate(ledger, key, now, { rules, lingering: false }) === null;
}

/** Decisions: the same body for every wrong key. */
export function unauthorized(ledger: Ledger, kind: string): Outcome {
	return { ledger, expected: { ...error(kind, "UNAUTHORIZED"), bytes: "401" } };
}
