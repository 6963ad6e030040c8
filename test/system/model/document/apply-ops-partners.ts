import type { CallOf } from "./calls.ts";
import { hasWaiting, reopenWaiting } from "./deliveries.ts";
import { badShape, type Expected, error, made, type Outcome, success, time, unanswered } from "./expected.ts";
import { changePartner, type KeyState, type Ledger, nextName, type PartnerState, record } from "./ledger.ts";
import { keyFacts, partnerFacts } from "./partner-facts.ts";
import type { Rules } from "./rules.ts";
import { change, DEFAULTS } from "./settings.ts";

/* What ops do to partners and keys (decisions, "Keys"; §2.7). */

const HOUR = 3_600_000;

export function applyCreatePartner(
	ledger: Ledger,
	{ settings: { name, ...sent } }: CallOf<"create partner">,
	now: number,
	rules: Rules,
): Outcome {
	const { settings, problems } = change({ ...DEFAULTS, name }, sent, rules);
	if (problems.length > 0) return { ledger, expected: badShape("create partner", problems) };
	const [partner, key] = [nextName("p", ledger, "partners"), nextName("k", ledger, "keys")];
	const state: PartnerState = {
		settings,
		createdAt: now,
		updatedAt: now,
		suspendedAt: null,
		rutAttempts: {},
		emissions: [],
	};
	const created = {
		...ledger,
		partners: { ...ledger.partners, [partner]: state },
		keys: { ...ledger.keys, [key]: { partner, label: "first key", createdAt: now, revokedAt: null } },
	};
	const data = {
		partner: partnerFacts(partner, state, rules),
		api_key: made("key", key),
		webhook_secret: made("secret", `${partner} ${now}`),
	};
	return { ledger: noted(created, partner, "created", now), expected: success("create partner", 201, data) };
}

export function applyChangePartner(
	ledger: Ledger,
	call: CallOf<"change partner">,
	now: number,
	rules: Rules,
): Outcome {
	const partner = ledger.partners[call.partner];
	if (!partner) return { ledger, expected: error("change partner", "NOT_FOUND") };
	const { suspended, ...sent } = call.change;
	const { settings, problems } = change(partner.settings, sent, rules);
	if (problems.length > 0) return { ledger, expected: badShape("change partner", problems) };
	const suspendedAt = suspended === false ? null : (partner.suspendedAt ?? (suspended ? now : null));
	const waits = sent.delivery_email && hasWaiting(ledger, call.partner);
	const known = waits ? reopenWaiting(ledger, call.partner, now) : ledger;
	const changed = changePartner(known, call.partner, { settings, suspendedAt });
	const action = suspended === undefined ? "changed" : suspended ? "suspended" : "resumed";
	const recorded = noted(changed, call.partner, action, now);
	const data = { partner: partnerFacts(call.partner, recorded.partners[call.partner]!, rules) };
	const expected = success("change partner", 200, data);
	return {
		ledger: recorded,
		expected: waits ? { ...expected, outcome: "change partner with what waits 200" } : expected,
	};
}

/** Nothing of it shows in the partner's history. */
export function applyLoseAddress(ledger: Ledger, { partner }: CallOf<"lose address">): Outcome {
	const settings = { ...ledger.partners[partner]!.settings, delivery_email: null };
	return { ledger: changePartner(ledger, partner, { settings }), expected: unanswered("address lost") };
}

export function applyAddKey(ledger: Ledger, { partner }: CallOf<"add key">, now: number): Outcome {
	if (!ledger.partners[partner]) return { ledger, expected: error("add key", "NOT_FOUND") };
	const key = nextName("k", ledger, "keys");
	const state = { partner, label: "another key", createdAt: now, revokedAt: null };
	return {
		ledger: noted({ ...ledger, keys: { ...ledger.keys, [key]: state } }, partner, "key_added", now),
		expected: success("add key", 201, newKey(key, state)),
	};
}

/** A key that has ended is not found; one that ends sooner than the overlap keeps its end. */
export function applyRotateKey(ledger: Ledger, call: CallOf<"rotate key">, now: number): Outcome {
	const old = ledger.keys[call.key];
	if (old?.partner !== call.partner || (old.revokedAt !== null && old.revokedAt <= now))
		return { ledger, expected: error("rotate key", "NOT_FOUND") };
	const key = nextName("k", ledger, "keys");
	const end = Math.min(old.revokedAt ?? Number.POSITIVE_INFINITY, now + call.overlapHours * HOUR);
	const ended = { ...old, revokedAt: end };
	const state = { partner: old.partner, label: "next key", createdAt: now, revokedAt: null };
	const keys = { ...ledger.keys, [call.key]: ended, [key]: state };
	const data = { ...newKey(key, state), replaces: keyFacts(call.key, ended) };
	return {
		ledger: noted({ ...ledger, keys }, call.partner, "key_rotated", now),
		expected: success("rotate key", 201, data),
	};
}

/** Revoking again leaves the end as it is; so does revoking a key that has ended. */
export function applyRevokeKey(ledger: Ledger, call: CallOf<"revoke key">, now: number): Outcome {
	const key = ledger.keys[call.key];
	if (key?.partner !== call.partner) return { ledger, expected: error("revoke key", "NOT_FOUND") };
	const hasEnded = key.revokedAt !== null && key.revokedAt <= now;
	const end = hasEnded ? key.revokedAt : now;
	const ended = { ...key, revokedAt: end };
	const expected: Expected = success("revoke key", 200, { key: keyFacts(call.key, ended) });
	if (hasEnded) return { ledger, expected: { ...expected, outcome: "revoke key again" } };
	const changed = { ...ledger, keys: { ...ledger.keys, [call.key]: ended } };
	return { ledger: noted(changed, call.partner, "key_revoked", now), expected };
}

export function applyRotateSecret(ledger: Ledger, call: CallOf<"rotate secret">, now: number): Outcome {
	if (!ledger.partners[call.partner]) return { ledger, expected: error("rotate secret", "NOT_FOUND") };
	const data = {
		webhook_secret: made("secret", `${call.partner} ${now}`),
		previous_valid_until: time(now + call.overlapHours * HOUR),
	};
	return {
		ledger: noted(ledger, call.partner, "webhook_secret_rotated", now),
		expected: success("rotate secret", 201, data),
	};
}

/** Each change of a partner, of its keys and of its secret is one of the partner. */
function noted(ledger: Ledger, partner: string, action: string, now: number): Ledger {
	const changed = changePartner(ledger, partner, { updatedAt: now });
	return record(changed, `partner ${partner}`, { at: now, by: "ops", action });
}

function newKey(name: string, key: KeyState) {
	return { key: keyFacts(name, key), api_key: made("key", name) };
}
