import type { Call } from "./calls.ts";
import { type Expected, error, made, type Outcome, type Shape, success, TEXT, time } from "./expected.ts";
import { changePartner, nextName, type PartnerState, type World } from "./world.ts";

/* What ops do to partners and keys (decisions, "Keys"; §2.7). */

type Of<Kind extends Call["kind"]> = Extract<Call, { kind: Kind }>;

const HOUR = 3_600_000;

export function applyCreatePartner(world: World, { settings }: Of<"create partner">): Outcome {
	const [partner, key] = [nextName("p", world.partners), nextName("k", world.keys)];
	const state: PartnerState = { settings, suspendedAt: null, emails: {}, emissions: [] };
	const created = {
		...world,
		partners: { ...world.partners, [partner]: state },
		keys: { ...world.keys, [key]: { partner, revokedAt: null } },
	};
	const data = { partner: partnerFacts(partner, state), api_key: made("key", key), webhook_secret: TEXT };
	return { world: created, expected: success("create partner", 201, data) };
}

export function applyChangePartner(world: World, call: Of<"change partner">, now: number): Outcome {
	const partner = world.partners[call.partner];
	if (!partner) return { world, expected: error("change partner", "NOT_FOUND") };
	const { suspended, ...settings } = call.change;
	const suspendedAt = suspended === false ? null : (partner.suspendedAt ?? (suspended ? now : null));
	const changed = changePartner(world, call.partner, {
		settings: { ...partner.settings, ...settings },
		suspendedAt,
	});
	const data = { partner: partnerFacts(call.partner, changed.partners[call.partner]!) };
	return { world: changed, expected: success("change partner", 200, data) };
}

export function applyAddKey(world: World, { partner }: Of<"add key">): Outcome {
	if (!world.partners[partner]) return { world, expected: error("add key", "NOT_FOUND") };
	const key = nextName("k", world.keys);
	const keys = { ...world.keys, [key]: { partner, revokedAt: null } };
	return { world: { ...world, keys }, expected: success("add key", 201, newKey(key)) };
}

/** A key that has ended is not found; one that ends sooner than the overlap keeps its end. */
export function applyRotateKey(world: World, call: Of<"rotate key">, now: number): Outcome {
	const old = world.keys[call.key];
	if (old?.partner !== call.partner || (old.revokedAt !== null && old.revokedAt <= now))
		return { world, expected: error("rotate key", "NOT_FOUND") };
	const key = nextName("k", world.keys);
	const end = Math.min(old.revokedAt ?? Number.POSITIVE_INFINITY, now + call.overlapHours * HOUR);
	const keys = {
		...world.keys,
		[call.key]: { ...old, revokedAt: end },
		[key]: { partner: old.partner, revokedAt: null },
	};
	const data = { ...newKey(key), replaces: keyFacts(call.key, end) };
	return { world: { ...world, keys }, expected: success("rotate key", 201, data) };
}

/** Revoking again leaves the end as it is; so does revoking a key that has ended. */
export function applyRevokeKey(world: World, call: Of<"revoke key">, now: number): Outcome {
	const key = world.keys[call.key];
	if (key?.partner !== call.partner) return { world, expected: error("revoke key", "NOT_FOUND") };
	const hasEnded = key.revokedAt !== null && key.revokedAt <= now;
	const end = hasEnded ? key.revokedAt : now;
	const keys = { ...world.keys, [call.key]: { ...key, revokedAt: end } };
	const expected: Expected = success("revoke key", 200, { key: keyFacts(call.key, end) });
	return {
		world: { ...world, keys },
		expected: hasEnded ? { ...expected, outcome: "revoke key again" } : expected,
	};
}

function newKey(key: string) {
	return { key: keyFacts(key, null), api_key: made("key", key) };
}

function keyFacts(key: string, revokedAt: number | null): Shape {
	return { $: "with", fields: { id: made("keyId", key), revoked_at: time(revokedAt) } };
}

function partnerFacts(id: string, { settings, suspendedAt }: PartnerState): Shape {
	const fields = { id: made("partner", id), ...settings, suspended: suspendedAt !== null };
	return { $: "with", fields };
}
