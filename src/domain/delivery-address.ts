import type { PartnerSettings } from "./partner-settings.ts";
import type { WebhookSwitch } from "./webhook-events.ts";

/** Settings of where certificates can go; `webhookOffAt` in epoch milliseconds, null while it is on. */
export interface DeliveryAddresses extends Pick<PartnerSettings, "mode" | "webhookUrl" | "deliveryEmail"> {
	webhookOffAt: number | null;
	webhookOffBy: WebhookSwitch | null;
}

/** Whether a certificate would be issued but reach nobody (decisions, "Delivery"). */
export function lacksDeliveryAddress(partner: DeliveryAddresses): boolean {
	return partner.mode === "B2B" && !hasWebhook(partner) && partner.deliveryEmail === null;
}

/** Summary for ops: null in B2C, where the claim's caller gets the certificate. */
export const DELIVERY_ADDRESSES = ["webhook", "email", "webhook_and_email", "missing"] as const;

export function deliveryAddress(partner: DeliveryAddresses): (typeof DELIVERY_ADDRESSES)[number] | null {
	if (partner.mode === "B2C") return null;
	if (partner.deliveryEmail === null) return hasWebhook(partner) ? "webhook" : "missing";
	return hasWebhook(partner) ? "webhook_and_email" : "email";
}

/** A webhook that ops switched off does not count; one that answered 410 does: its partner can have it switched on. */
function hasWebhook({ webhookUrl, webhookOffAt, webhookOffBy }: DeliveryAddresses): boolean {
	return webhookUrl !== null && !(webhookOffAt !== null && webhookOffBy === "ops");
}

export interface PendingEmail {
	deliveryEmailPending: string | null;
	deliveryEmailPendingUntil: number | null;
}

/** The delivery e-mail that waits for its owner's confirmation; null without one, and after its end. */
export function pendingEmail(partner: PendingEmail, now: number): string | null {
	const { deliveryEmailPending: address, deliveryEmailPendingUntil: until } = partner;
	return until !== null && until > now ? address : null;
}
