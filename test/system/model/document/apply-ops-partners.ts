import type { CallOf } from "./calls.ts";
import { badShape, made, type Outcome, success, unanswered } from "./expected.ts";
import { changePartner, type Ledger, nextName } from "./ledger.ts";
import type { Rules } from "./rules.ts";
import { change, DEFAULTS } from "./settings.ts";

/* Ops' settings of partners, as far as they change what other calls mean (§2.7). */

/** Creates a partner with a key of every scope. */
export function applyCreatePartner(
	ledger: Ledger,
	{ settings: { name, ...sent } }: CallOf<"create partner">,
	rules: Rules,
): Outcome {
	const kind = "create partner";
	const { settings, problems } = change({ ...DEFAULTS, name }, sent, rules);
	if (problems.length > 0) return { ledger, expected: badShape(kind, problems) };
	const partner = nextName("p", ledger, "partners");
	const state = { settings, suspendedAt: null, clockOffset: 0, rutAttempts: {}, emissions: [] };
	const facts = { id: made("partner", partner), ...settings };
	const data = { partner: { $: "with", fields: facts }, api_key: made("key", partner) } as const;
	return {
		ledger: { ...ledger, partners: { ...ledger.partners, [partner]: state } },
		expected: success(kind, 201, { $: "with", fields: data }),
	};
}

export function applyChangePartner(
	ledger: Ledger,
	{ partner: id, change: { suspended, ...sent } }: CallOf<"change partner">,
	now: number,
	rules: Rules,
): Outcome {
	const kind = "change partner";
	const partner = ledger.partners[id]!;
	const { settings, problems } = change(partner.settings, sent, rules);
	if (problems.length > 0) return { ledger, expected: badShape(kind, problems) };
	const suspendedAt = suspended === false ? null : (partner.suspendedAt ?? (suspended ? now : null));
	const facts = { id: made("partner", id), ...settings, suspended: suspendedAt !== null };
	const data = { partner: { $: "with", fields: facts } } as const;
	return {
		ledger: changePartner(ledger, id, { settings, suspendedAt }),
		expected: success(kind, 200, data),
	};
}

export function applyLoseAddress(ledger: Ledger, { partner }: CallOf<"lose address">): Outcome {
	const settings = { ...ledger.partners[partner]!.settings, delivery_email: null };
	return { ledger: changePartner(ledger, partner, { settings }), expected: unanswered("address lost") };
}
