import { addDelivery } from "./deliveries.ts";
import type { Ledger } from "./ledger.ts";
import type { Rules } from "./rules.ts";
import type { Settings } from "./settings.ts";

/**
 * Decisions, "notice": a partner's own change is told to its other address, or to the only one, of before the change. A
 * webhook that is off hears of keys alone.
 */
export function tell(
	ledger: Ledger,
	partner: string,
	changed: "keys" | "webhook" | "email",
	{ before, now, rules }: { before: Settings; now: number; rules: Rules },
): Ledger {
	const { webhook_url, webhook_off, delivery_email } = before;
	const webhook = webhook_url === null ? null : ({ channel: "webhook", address: webhook_url } as const);
	const email = delivery_email === null ? null : ({ channel: "email", address: delivery_email } as const);
	const atOnce = webhook_off ? null : webhook;
	const to = { keys: email ?? webhook, webhook: email ?? atOnce, email: atOnce ?? email }[changed];
	if (to === null || !rules.noticesAreSent) return ledger;
	return addDelivery(
		ledger,
		{ partner, code: null, event: "settings.changed", toPartner: false, ...to },
		now,
	)[0];
}
