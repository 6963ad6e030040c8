import type { CallOf } from "./calls.ts";
import { reopenWaiting } from "./deliveries.ts";
import { badShape, error, made, type Outcome, success, time, unanswered } from "./expected.ts";
import { addKey, keyState, revokeKey, rotateKey } from "./keys.ts";
import { changePartner, type Ledger, nextName, type PartnerState, record } from "./ledger.ts";
import { momentOf } from "./moment.ts";
import { partnerFacts } from "./partner-facts.ts";
import type { Rules } from "./rules.ts";
import { change, DEFAULTS } from "./settings.ts";
import { NO_WIDGET } from "./widget.ts";

/* What ops do to partners and keys (decisions, "Keys"; §2.7). */

const HOUR = 3_600_000;

export function applyCreatePartner(
	ledger: Ledger,
	{ settings: { name, ...sent } }: CallOf<"create partner">,
	now: number,
	rules: Rules,
): Outcome {
	const { settings, problems } = change({ ...DEFAULTS, name }, sent, { by: "ops", now, rules });
	if (problems.length > 0) return { ledger, expected: badShape("create partner", problems) };
	const [partner, key] = [nextName("p", ledger, "partners"), nextName("k", ledger, "keys")];
	const state: PartnerState = {
		settings,
		createdAt: now,
		updatedAt: now,
		suspendedAt: null,
		clockOffset: 0,
		widget: NO_WIDGET,
		rutAttempts: {},
		emissions: [],
	};
	const created = {
		...ledger,
		partners: { ...ledger.partners, [partner]: state },
		keys: { ...ledger.keys, [key]: keyState(partner, "first key", {}, now) },
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
	const { settings, problems, switchedOn } = change(partner.settings, sent, { by: "ops", now, rules });
	if (problems.length > 0) return { ledger, expected: badShape("change partner", problems) };
	const suspendedAt = suspended === false ? null : (partner.suspendedAt ?? (suspended ? now : null));
	const known = reopen(
		ledger,
		call.partner,
		{ switchedOn, email: sent.delivery_email },
		momentOf(ledger, call.partner, now, rules).now,
	);
	const waits = known.deliveries !== ledger.deliveries;
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

/** The same object where nothing waits. */
export function reopen(
	ledger: Ledger,
	partner: string,
	{ switchedOn, email }: { switchedOn: boolean; email: string | null | undefined },
	now: number,
): Ledger {
	const byWebhook = switchedOn ? reopenWaiting(ledger, partner, "webhook", now) : ledger;
	const known = email ? reopenWaiting(byWebhook, partner, "email", now) : byWebhook;
	return JSON.stringify(known.deliveries) === JSON.stringify(ledger.deliveries) ? ledger : known;
}

/** Nothing of it shows in the partner's history. */
export function applyLoseAddress(ledger: Ledger, { partner }: CallOf<"lose address">): Outcome {
	const lost = { delivery_email: null, webhook_url: null, webhook_off: null };
	const settings = { ...ledger.partners[partner]!.settings, ...lost };
	return { ledger: changePartner(ledger, partner, { settings }), expected: unanswered("address lost") };
}

export function applyAddKey(
	ledger: Ledger,
	{ partner, asked = {} }: CallOf<"add key">,
	now: number,
	rules: Rules,
): Outcome {
	if (!ledger.partners[partner]) return { ledger, expected: error("add key", "NOT_FOUND") };
	const by = { ...momentOf(ledger, partner, now, rules), partner, by: "ops", kind: "add key" } as const;
	return addKey(ledger, { label: "another key", ...asked }, by);
}

export function applyRotateKey(
	ledger: Ledger,
	call: CallOf<"rotate key">,
	now: number,
	rules: Rules,
): Outcome {
	const moment = momentOf(ledger, call.partner, now, rules);
	const by = { ...moment, partner: call.partner, by: "ops", kind: "rotate key" } as const;
	return rotateKey(ledger, call.key, call, by);
}

export function applyRevokeKey(
	ledger: Ledger,
	call: CallOf<"revoke key">,
	now: number,
	rules: Rules,
): Outcome {
	const moment = momentOf(ledger, call.partner, now, rules);
	const by = { ...moment, partner: call.partner, by: "ops", kind: "revoke key" } as const;
	return revokeKey(ledger, call.key, by);
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
