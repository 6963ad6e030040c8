import { insertDeliveries, insertIfSubscribed } from "../db/outbox.ts";
import type { RowsStatement, Statement } from "../db/query.ts";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import type { WebhookEvent } from "../domain/webhook-events.ts";
import type { Platform } from "../platform.ts";
import { ATTEMPT_LEASE_MS } from "./retry-schedule.ts";
import { claimedData, type EmittedPayload, emittedData, webhookBody } from "./webhook.ts";

/** A delivery being tried: a leased row of the outbox, decrypted. */
export interface Delivery {
	id: string;
	partnerId: string;
	channel: "webhook" | "email";
	/** It carries the certificate to a B2B partner, to the address of the moment: destination.ts. */
	toPartner: boolean;
	/** It is the only one that does. */
	mayChangeChannel: boolean;
	/** Of a copy by e-mail. */
	address: string | null;
	/** Webhook: the body. E-mail: {@link EmittedPayload} as JSON. */
	payload: string;
	attempts: number;
	createdAt: number;
	/** When its round of attempts started, and when this attempt's lease ends. Epoch milliseconds. */
	startedAt: number;
	leasedUntil: number;
}

export interface CreatedDeliveries {
	/** For the commit. */
	statements: Statement[];
	/** The same deliveries, to be tried or queued after the commit. */
	deliveries: Delivery[];
}

type Context = Pick<Platform, "db" | "sealer">;

/**
 * The deliveries of an issued certificate, for the commit that issues it (§4.1, §6): in B2B the partner's webhook and
 * its delivery e-mail, in both modes the request's `partnerCopy`.
 * @param order - `triedAtOnce`: the rows are leased from the start by the call that creates them, which tries them.
 */
export async function createDeliveries(
	{ db, sealer }: Context,
	order: {
		partnerId: string;
		settings: PartnerSettings;
		partnerCopy: string | null;
		payload: EmittedPayload;
		now: number;
		triedAtOnce: boolean;
	},
): Promise<CreatedDeliveries> {
	const { partnerId, settings, payload, now, triedAtOnce } = order;
	const leasedUntil = triedAtOnce ? now + ATTEMPT_LEASE_MS : now;
	const text = JSON.stringify(payload);
	const data = settings.mode === "B2B" ? emittedData(payload) : claimedData(payload);
	const body = webhookBody("certificate.emitted", now, data);
	const recipients = recipientsOf(settings, order.partnerCopy);
	const mayChangeChannel = recipients.filter(({ toPartner }) => toPartner).length === 1;
	const deliveries = recipients.map(
		(recipient): Delivery => ({
			...recipient,
			mayChangeChannel: recipient.toPartner && mayChangeChannel,
			id: crypto.randomUUID(),
			partnerId,
			payload: recipient.channel === "webhook" ? body : text,
			attempts: triedAtOnce ? 1 : 0,
			createdAt: now,
			startedAt: now,
			leasedUntil,
		}),
	);
	if (deliveries.length === 0) return { statements: [], deliveries };
	const rows = await Promise.all(
		deliveries.map(async ({ id, channel, toPartner, address, payload, attempts }) => ({
			id,
			partnerId,
			code: order.payload.code,
			event: "certificate.emitted" as const,
			channel,
			toPartner,
			recipientSealed: address === null ? null : await sealer.seal(address, recipientPlace(id)),
			payloadSealed: await sealer.seal(payload, payloadPlace(id)),
			createdAt: now,
			nextAttemptAt: leasedUntil,
			attempts,
		})),
	);
	return { statements: [insertDeliveries(db, rows)], deliveries };
}

/** A B2B partner without delivery e-mail gets a webhook, subscribed or not: its certificate waits for an address. */
function recipientsOf(
	{ mode, webhookUrl, webhookEvents, deliveryEmail }: PartnerSettings,
	partnerCopy: string | null,
): Pick<Delivery, "channel" | "toPartner" | "address">[] {
	const toPartner = mode === "B2B";
	const email = toPartner ? deliveryEmail : null;
	const subscribed = webhookUrl !== null && webhookEvents.includes("certificate.emitted");
	const byWebhook = subscribed || (toPartner && email === null);
	const copy = partnerCopy === email ? null : partnerCopy;
	return [
		...(byWebhook ? [{ channel: "webhook" as const, toPartner, address: null }] : []),
		...(email === null ? [] : [{ channel: "email" as const, toPartner, address: email }]),
		...(copy === null ? [] : [{ channel: "email" as const, toPartner: false, address: copy }]),
	];
}

/**
 * The delivery of a code's event to its partner's webhook, for the commit that causes the event. The statement inserts
 * the row, and returns it, only if the partner has a webhook and subscribes to the event at that moment.
 */
export async function createEventDelivery(
	{ db, sealer }: Context,
	event: WebhookEvent,
	of: { partnerId: string; code: string; reference: string | null; data: object; now: number },
): Promise<{ id: string; statement: RowsStatement<{ id: string }> }> {
	const { partnerId, code, reference, data, now } = of;
	const id = crypto.randomUUID();
	const body = webhookBody(event, now, { p_code: code, referenceId: reference, ...data });
	const statement = insertIfSubscribed(db, {
		id,
		partnerId,
		code,
		event,
		channel: "webhook",
		payloadSealed: await sealer.seal(body, payloadPlace(id)),
		createdAt: now,
		nextAttemptAt: now,
		attempts: 0,
	});
	return { id, statement };
}

export function recipientPlace(id: string) {
	return { table: "outbox", row: id, column: "recipient_sealed" };
}

export function payloadPlace(id: string) {
	return { table: "outbox", row: id, column: "payload_sealed" };
}
