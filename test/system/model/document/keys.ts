import type { AskedKey } from "./calls.ts";
import { badShape, businessRejection, error, made, type Outcome, success } from "./expected.ts";
import { changePartner, type KeyState, type Ledger, nextName, record } from "./ledger.ts";
import type { Moment } from "./moment.ts";
import { tell } from "./notices.ts";
import { keyFacts } from "./partner-facts.ts";

/* A partner's keys (decisions, "Keys"), changed by ops or by the partner itself. Each change is one of the partner. */

const HOUR = 3_600_000;

/** Whose keys, and who changes them: `key`, of the partner's own call. */
export interface By extends Moment {
	partner: string;
	by: "ops" | "partner";
	key?: string;
	kind: string;
}

export function keyState(
	partner: string,
	label: string,
	{
		scopes = ["codes", "redeem", "read"],
		endsIn,
		cidrs = null,
	}: { cidrs?: AskedKey["cidrs"] | null } & Omit<AskedKey, "cidrs">,
	now: number,
): KeyState {
	const expiresAt = endsIn === undefined ? null : now + endsIn;
	return { partner, label, createdAt: now, revokedAt: null, scopes, expiresAt, cidrs: cidrs ?? null };
}

export function addKey(ledger: Ledger, { label, ...asked }: AskedKey & { label: string }, by: By): Outcome {
	const { partner, kind, at } = by;
	if (asked.endsIn !== undefined && asked.endsIn <= 0)
		return { ledger, expected: badShape(kind, ["expires_at"]) };
	const key = nextName("k", ledger, "keys");
	const state = keyState(partner, label, asked, at);
	const changed = { ...ledger, keys: { ...ledger.keys, [key]: state } };
	const data = { key: keyFacts(key, state), api_key: made("key", key) };
	return { ledger: noted(changed, "key_added", by), expected: success(kind, 201, data) };
}

/**
 * A successor of the same rights, with the same end unless another is named. A key that has ended is not found; one that
 * ends sooner than the overlap keeps its end.
 */
export function rotateKey(
	ledger: Ledger,
	name: string,
	{ overlapHours, endsIn }: { overlapHours: number; endsIn?: number | null },
	by: By,
): Outcome {
	const { partner, kind, at } = by;
	if (endsIn != null && endsIn <= 0) return { ledger, expected: badShape(kind, ["expires_at"]) };
	const old = ledger.keys[name];
	if (old?.partner !== partner || hasEnded(old, at)) return { ledger, expected: error(kind, "NOT_FOUND") };
	const key = nextName("k", ledger, "keys");
	const end = Math.min(old.revokedAt ?? Number.POSITIVE_INFINITY, at + overlapHours * HOUR);
	const ended = { ...old, revokedAt: end };
	const expiresAt = endsIn === undefined ? old.expiresAt : endsIn === null ? null : at + endsIn;
	const state = { ...old, label: "next key", createdAt: at, revokedAt: null, expiresAt };
	const changed = { ...ledger, keys: { ...ledger.keys, [name]: ended, [key]: state } };
	if (losesManagement(ledger, changed, by))
		return { ledger, expected: businessRejection(kind, "LAST_MANAGE_KEY") };
	const data = { key: keyFacts(key, state), api_key: made("key", key), replaces: keyFacts(name, ended) };
	return { ledger: noted(changed, "key_rotated", by), expected: success(kind, 201, data) };
}

/** Revoking again leaves the end as it is; so does revoking a key that has ended. */
export function revokeKey(ledger: Ledger, name: string, by: By): Outcome {
	const { partner, kind, at } = by;
	const key = ledger.keys[name];
	if (key?.partner !== partner) return { ledger, expected: error(kind, "NOT_FOUND") };
	const isOver = hasEnded(key, at);
	const ended = isOver ? key : { ...key, revokedAt: at };
	const expected = success(kind, 200, { key: keyFacts(name, ended) });
	if (isOver) return { ledger, expected: { ...expected, outcome: `${kind} again` } };
	const changed = { ...ledger, keys: { ...ledger.keys, [name]: ended } };
	if (losesManagement(ledger, changed, by))
		return { ledger, expected: businessRejection(kind, "LAST_MANAGE_KEY") };
	return { ledger: noted(changed, "key_revoked", by), expected };
}

function hasEnded({ revokedAt, expiresAt }: KeyState, now: number): boolean {
	return (revokedAt !== null && revokedAt <= now) || (expiresAt !== null && expiresAt <= now);
}

/** Its last `manage` key without an end a partner cannot give up; ops can take it. */
function losesManagement(before: Ledger, after: Ledger, { partner, by, rules }: By): boolean {
	const manages = ({ keys }: Ledger) =>
		Object.values(keys).some(
			(key) =>
				key.partner === partner &&
				key.scopes.includes("manage") &&
				key.revokedAt === null &&
				key.expiresAt === null,
		);
	return by === "partner" && rules.lastManageKeyStays && manages(before) && !manages(after);
}

function noted(ledger: Ledger, action: string, { partner, by, key, now, at, rules }: By): Ledger {
	const { settings } = ledger.partners[partner]!;
	const told = by === "partner" ? tell(ledger, partner, "keys", { before: settings, now, rules }) : ledger;
	const changed = changePartner(told, partner, { updatedAt: at });
	return record(changed, `partner ${partner}`, { at, by, ...(key && { key }), action });
}
