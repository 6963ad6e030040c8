import type { PartnerRow } from "../db/partners.ts";
import type { Delivery } from "./outbox.ts";
import type { Outcome } from "./outcome.ts";

/** Destination of an attempt. `parked`: the partner has no address for it. */
export type Destination =
	| { kind: "webhook"; url: string }
	| { kind: "email"; address: string }
	| Extract<Outcome, { kind: "parked" }>;

type Addresses = Pick<PartnerRow, "webhookUrl" | "webhookOffAt" | "deliveryEmail">;

/**
 * Copies go to their request's address, events to the webhook, notices to the previous address. A certificate goes to
 * its partner's present address: by its own channel, or by the other one when that has the only address and no delivery
 * of its own.
 */
export function destinationOf(
	{ channel, address, toPartner, mayChangeChannel }: Delivery,
	partner: Addresses,
): Destination {
	if (!toPartner && address !== null && address !== partner.webhookUrl)
		return channel === "webhook" ? { kind: "webhook", url: address } : { kind: "email", address };
	if (!toPartner) return webhookOf(partner);
	const [webhook, email] = [webhookOf(partner), emailOf(partner)];
	const [own, other] = channel === "webhook" ? [webhook, email] : [email, webhook];
	return own.kind === "parked" && other.kind !== "parked" && mayChangeChannel ? other : own;
}

function webhookOf({ webhookUrl, webhookOffAt }: Addresses): Destination {
	if (webhookUrl === null) return { kind: "parked", label: "no_endpoint" };
	return webhookOffAt === null
		? { kind: "webhook", url: webhookUrl }
		: { kind: "parked", label: "endpoint_off" };
}

function emailOf({ deliveryEmail }: Addresses): Destination {
	return deliveryEmail === null
		? { kind: "parked", label: "no_endpoint" }
		: { kind: "email", address: deliveryEmail };
}
