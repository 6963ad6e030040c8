import type { CallOf } from "./calls.ts";
import { error, made, type Outcome, type Shape, success, TEXT, time } from "./expected.ts";
import type { KeyState, Ledger, PartnerState } from "./ledger.ts";
import type { Rules } from "./rules.ts";
import { addressesOf, identityChecks, type Settings } from "./settings.ts";
import type { WidgetState } from "./widget.ts";

/* Partners and keys as ops see them: §2.7, and what onboarding adds. */

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
		...settingsFacts(id, settings, rules),
		suspended: suspendedAt !== null,
		created_at: time(createdAt),
		updated_at: time(updatedAt),
	};
}

/** What its partner sees of it too. */
export function settingsFacts(id: string, { webhook_off, ...settings }: Settings, rules: Rules) {
	return {
		id: made("partner", id),
		// What nobody sets here.
		pfx_profile: "modern",
		...settings,
		webhook_off_since: time(webhook_off?.at ?? null),
		webhook_off_by: webhook_off?.by ?? null,
		identity_checks: identityChecks({ ...settings, webhook_off }, rules),
		delivery_address: addressesOf({ ...settings, webhook_off }),
	};
}

/** As its partner sees its widget, and each page of its sessions. */
export function widgetFacts(id: string, { origins, accent, logo }: WidgetState) {
	return { origins, accent, logo: logo === null ? null : made("logo", `${id} ${logo}`) };
}

/** The time of the last use is noted to five minutes and after the answer: whether it shows is left open. */
export function keyFacts(name: string, { label, createdAt, revokedAt, ...rights }: KeyState): Shape {
	return {
		id: made("keyId", name),
		label,
		...rightsOf(rights),
		created_at: time(createdAt),
		last_used_at: { $: "one of", of: [null, TEXT] },
		revoked_at: time(revokedAt),
	};
}

export function rightsOf({ scopes, expiresAt, cidrs }: Pick<KeyState, "scopes" | "expiresAt" | "cidrs">) {
	return { scopes, expires_at: time(expiresAt), allowed_cidrs: cidrs };
}
