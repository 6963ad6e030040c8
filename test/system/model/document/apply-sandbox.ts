import { applyTestWebhook } from "./apply-desk-addresses.ts";
import type { Flow } from "./calls.ts";
import type { Desk } from "./desk.ts";
import { EVENTS } from "./events.ts";
import { badShape, type Outcome, success } from "./expected.ts";
import { changePartner, type Ledger, record } from "./ledger.ts";
import { change, identityChecks } from "./settings.ts";

/* sandbox.md: what ops set in production, and a look at what a webhook gets. */

export function applySetFlow(ledger: Ledger, sent: Flow, desk: Desk): Outcome {
	const { id, partner, kind, key, at, rules } = desk;
	const { settings, problems } = change(partner.settings, sent, { by: "partner", now: at, rules });
	if (problems.includes("require_sso")) return { ledger, expected: badShape(kind, problems) };
	if (problems.length > 0)
		return { ledger, expected: { ...badShape(kind, ["mode"]), outcome: `${kind} 400 without an address` } };
	const changed = record(changePartner(ledger, id, { settings, updatedAt: at }), `partner ${id}`, {
		...{ at, by: "partner", key },
		action: "changed",
	});
	const { mode, require_cedula_serie, validate_vencimiento, require_sso } = settings;
	const flow = { mode, require_cedula_serie, validate_vencimiento, require_sso };
	const data = { ...flow, identity_checks: identityChecks(settings, rules) };
	return { ledger: changed, expected: success(kind, 200, data) };
}

const EXAMPLES: readonly string[] = [
	...EVENTS,
	"onboarding.completed",
	"onboarding.expired",
	"settings.changed",
	"ping",
];

/** Whether the partner has subscribed to it or not. */
export function applyExample(ledger: Ledger, event: string, desk: Desk): Outcome {
	if (!EXAMPLES.includes(event)) return { ledger, expected: badShape(desk.kind, ["type"]) };
	return applyTestWebhook(ledger, desk);
}
