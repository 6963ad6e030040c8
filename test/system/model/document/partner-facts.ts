import type { CallOf } from "./calls.ts";
import { error, made, type Outcome, type Shape, success, TEXT, time } from "./expected.ts";
import type { KeyState, Ledger, PartnerState } from "./ledger.ts";
import type { Rules } from "./rules.ts";
import { identityChecks, type Settings } from "./settings.ts";

/* Partners and keys as ops see them: §2.7, and what onboarding adds. */

/** What nobody sets here. */
const DEFAULTS = {
	pfx_profile: "modern",
	webhook_url: null,
	webhook_events: ["certificate.emitted"],
	webhook_off_since: null,
	webhook_off_by: null,
	holder_reminders: false,
};

/** Other sequences' partners are in the same database: of them only the order is known. */
export function applyListPartners(ledger: Ledger, rules: Rules): Outcome {
	const of = Object.entries(ledger.partners).map(([name, partner]) => partnerFacts(name, partner, rules));
	const data: Shape = { partners: { $: "among", of, ascending: "created_at" } };
	return { ledger, expected: success("list partners", 200, data) };
}

export function applyShowPartner(ledger: Ledger, call: CallOf<"show partner">, rules: Rules): Outcome {
	const partner = ledger.partners[call.partner];
	if (!partner) return { ledger, expected: error("show partner", "NOT_FOUND") };
	const keys = Object.entries(ledger.keys)
		.filter(([, key]) => key.partner === call.partner)
		.map(([name, key]) => keyFacts(name, key));
	const data = { partner: partnerFacts(call.partner, partner, rules), keys };
	return { ledger, expected: success("show partner", 200, data) };
}

export function partnerFacts(
	id: string,
	{ settings, createdAt, updatedAt, suspendedAt }: PartnerState,
	rules: Rules,
): Shape {
	return {
		id: made("partner", id),
		...DEFAULTS,
		...settings,
		identity_checks: identityChecks(settings, rules),
		delivery_address: addressOf(settings),
		suspended: suspendedAt !== null,
		created_at: time(createdAt),
		updated_at: time(updatedAt),
	};
}

function addressOf({ mode, delivery_email }: Settings): string | null {
	if (mode === "B2C") return null;
	return delivery_email === null ? "missing" : "email";
}

/** The time of the last use is noted to five minutes and after the answer: whether it shows is left open. */
export function keyFacts(name: string, { label, createdAt, revokedAt }: KeyState): Shape {
	return {
		id: made("keyId", name),
		label,
		scopes: ["codes", "redeem", "read"],
		expires_at: null,
		allowed_cidrs: null,
		created_at: time(createdAt),
		last_used_at: { $: "one of", of: [null, TEXT] },
		revoked_at: time(revokedAt),
	};
}
