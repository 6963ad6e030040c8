import {
	type DeliveryAddresses,
	lacksDeliveryAddress,
	type PendingEmail,
	pendingEmail,
} from "./delivery-address.ts";
import type { WebhookSwitch } from "./webhook-events.ts";

interface EndingKey {
	id: string;
	label: string;
	endsAt: number;
}

interface Facts {
	partner: DeliveryAddresses & PendingEmail;
	/** Latest webhooks that were tried. */
	webhook: { tried: number; arrived: number; lastAt: number | null; lastOutcome: string | null };
	/** Deliveries of the last days that are not tried any more. */
	dead: number;
	/** Unused codes whose window ends soon. */
	codesEnding: number;
	keysEnding: readonly EndingKey[];
}

/** Something that a partner should look at. Times in epoch milliseconds. */
export type Attention =
	| { kind: "no_address" }
	| { kind: "webhook_off"; at: number; by: WebhookSwitch }
	| { kind: "webhook_failing"; tried: number; arrived: number; at: number; outcome: string }
	| { kind: "deliveries_dead"; n: number }
	| { kind: "codes_ending"; n: number }
	| { kind: "key_ending"; id: string; label: string; at: number }
	| { kind: "email_waiting"; address: string; at: number };

/** All that a partner should look at, the most urgent first. @param now - by the real clock */
export function attentionOf(facts: Facts, now: number): Attention[] {
	const { partner, webhook, dead, codesEnding, keysEnding } = facts;
	const { webhookUrl, webhookOffAt, webhookOffBy, deliveryEmailPendingUntil } = partner;
	const found: Attention[] = [];
	if (lacksDeliveryAddress(partner)) found.push({ kind: "no_address" });
	if (webhookUrl !== null && webhookOffAt !== null)
		found.push({ kind: "webhook_off", at: webhookOffAt, by: webhookOffBy ?? "ops" });
	else if (webhookUrl !== null && webhook.lastAt !== null && webhook.lastOutcome !== "delivered") {
		const { tried, arrived, lastAt, lastOutcome } = webhook;
		found.push({ kind: "webhook_failing", tried, arrived, at: lastAt, outcome: lastOutcome ?? "" });
	}
	if (dead > 0) found.push({ kind: "deliveries_dead", n: dead });
	if (codesEnding > 0) found.push({ kind: "codes_ending", n: codesEnding });
	for (const { id, label, endsAt } of keysEnding) found.push({ kind: "key_ending", id, label, at: endsAt });
	const address = pendingEmail(partner, now);
	if (address !== null) found.push({ kind: "email_waiting", address, at: deliveryEmailPendingUntil! });
	return found;
}
