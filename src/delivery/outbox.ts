import { insertDeliveries, insertIfSubscribed, type NewDelivery } from "../db/outbox.ts";
import type { PartnerDb, RowsStatement, Statement } from "../db/query.ts";
import type { DeliveryKind, HolderMessage } from "../domain/holder-messages.ts";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import { subscribes, type WebhookEvent } from "../domain/webhook-events.ts";
import type { Platform } from "../platform.ts";
import type { Sealer } from "../secrets/sealing.ts";
import type { AnsweredNotice, HolderNotice, RevokedNotice } from "./holder-emails.ts";
import { ATTEMPT_LEASE_MS } from "./retry-schedule.ts";
import { claimedData, type EmittedPayload, emittedData, webhookBody } from "./webhook.ts";

/** A delivery being tried: a leased row of the outbox, decrypted. */
export interface Delivery {
	id: string;
	partnerId: string;
	kind: DeliveryKind;
	channel: "webhook" | "email";
	/** Carries the certificate to a B2B partner, at its present address: destination.ts. */
	toPartner: boolean;
	/** No other delivery carries the certificate. */
	mayChangeChannel: boolean;
	/** Fixed address of a copy, a holder's message, or a notice: an e-mail unless the channel is the webhook. */
	address: string | null;
	/** Webhook: the body. E-mail: {@link EmittedPayload}, to a holder its notice, as JSON. */
	payload: string;
	attempts: number;
	createdAt: number;
	/** Start of its round of attempts, and end of this attempt's lease. Epoch milliseconds. */
	startedAt: number;
	leasedUntil: number;
}

export interface CreatedDeliveries {
	/** Statements of the commit. */
	statements: Statement[];
	/** Deliveries that the creating call tries after the commit. */
	atOnce: Delivery[];
	/** Ids of those to be queued after the commit. */
	queued: string[];
}

type Context = Pick<Platform, "sealer" | "clock"> & { db: PartnerDb };

/**
 * The deliveries of an issued certificate, for the commit that issues it (§4.1, §6): in B2B the partner's webhook and
 * its delivery e-mail, in both modes the request's `partnerCopy` and a message to the holder.
 * @param order - `issuer`: the authority's name. `language`: the holder's. `triedAtOnce`: those to the partner are leased from the start by the call
 * that creates them, which tries them.
 */
export async function createDeliveries(
	{ db, sealer }: Context,
	order: {
		partnerId: string;
		settings: PartnerSettings;
		partnerCopy: string | null;
		payload: EmittedPayload;
		issuer: string;
		language: HolderNotice["language"];
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
			kind: "certificate.emitted",
			payload: recipient.channel === "webhook" ? body : text,
			attempts: triedAtOnce ? 1 : 0,
			createdAt: now,
			startedAt: now,
			leasedUntil,
		}),
	);
	const { code, holder, serial, validFrom, validTo } = payload;
	const rows = await Promise.all(
		deliveries.map(async ({ id, kind: event, channel, toPartner, address, payload, attempts }) => ({
			...{
				id,
				partnerId,
				code,
				event,
				channel,
				toPartner,
				createdAt: now,
				nextAttemptAt: leasedUntil,
				attempts,
			},
			recipientSealed: address === null ? null : await sealer.seal(address, recipientPlace(id)),
			payloadSealed: await sealer.seal(payload, payloadPlace(id)),
		})),
	);
	const { issuer, language } = order;
	const notice = { language, fullName: holder.fullName, issuer, serial, validFrom, validTo };
	const toHolder = await holderDelivery(sealer, "holder.issued", notice, {
		partnerId,
		code,
		address: holder.email,
		now,
	});
	const queued = triedAtOnce ? [toHolder] : [...rows, toHolder];
	return {
		statements: [insertDeliveries(db, [...rows, toHolder])],
		atOnce: triedAtOnce ? deliveries : [],
		queued: queued.map(({ id }) => id),
	};
}

/** A row of the outbox with a message to a holder: due at once, and never to another address. */
export async function holderDelivery(
	sealer: Sealer,
	kind: HolderMessage,
	notice: HolderNotice | RevokedNotice | AnsweredNotice,
	of: { partnerId: string; code: string; address: string; now: number },
): Promise<NewDelivery> {
	const { partnerId, code, address, now } = of;
	const id = crypto.randomUUID();
	return {
		...{
			id,
			partnerId,
			code,
			event: kind,
			channel: "email",
			toPartner: false,
			createdAt: now,
			nextAttemptAt: now,
		},
		recipientSealed: await sealer.seal(address, recipientPlace(id)),
		payloadSealed: await sealer.seal(JSON.stringify(notice), payloadPlace(id)),
		attempts: 0,
	};
}

/** A B2B partner without delivery e-mail gets a webhook, subscribed or not: its certificate waits for an address. */
function recipientsOf(
	{ mode, webhookUrl, webhookEvents, deliveryEmail }: PartnerSettings,
	partnerCopy: string | null,
): Pick<Delivery, "channel" | "toPartner" | "address">[] {
	const toPartner = mode === "B2B";
	const email = toPartner ? deliveryEmail : null;
	const subscribed = webhookUrl !== null && subscribes(webhookEvents, "certificate.emitted");
	const byWebhook = subscribed || (toPartner && email === null);
	const copy = partnerCopy === email ? null : partnerCopy;
	return [
		...(byWebhook ? [{ channel: "webhook" as const, toPartner, address: null }] : []),
		...(email === null ? [] : [{ channel: "email" as const, toPartner, address: null }]),
		...(copy === null ? [] : [{ channel: "email" as const, toPartner: false, address: copy }]),
	];
}

/**
 * The delivery of a code's event to its partner's webhook, for the commit that causes the event. The statement inserts
 * the row, and returns it, only if the partner has a webhook and subscribes to the event at that moment.
 */
export async function createEventDelivery(
	{ db, sealer, clock }: Context,
	event: WebhookEvent,
	of: { partnerId: string; code: string; reference: string | null; data: object; now: number },
): Promise<{ id: string; statement: RowsStatement<{ id: string }> }> {
	const { partnerId, code, reference: referenceId, now } = of;
	const data = { p_code: code, referenceId, ...of.data };
	const row = await eventDelivery(sealer, event, { partnerId, code, data, now });
	return { id: row.id, statement: insertIfSubscribed(db, row, clock()) };
}

/** A row of the outbox with an event for the partner's webhook. */
export async function eventDelivery(
	sealer: Sealer,
	event: WebhookEvent,
	of: { partnerId: string; code: string; data: object; now: number },
): Promise<NewDelivery> {
	const { partnerId, code, data, now } = of;
	const id = crypto.randomUUID();
	return {
		id,
		partnerId,
		code,
		event,
		channel: "webhook",
		toPartner: false,
		createdAt: now,
		nextAttemptAt: now,
		attempts: 0,
		payloadSealed: await sealer.seal(webhookBody(event, now, data), payloadPlace(id)),
	};
}

export function recipientPlace(id: string) {
	return { table: "outbox", row: id, column: "recipient_sealed" };
}

export function payloadPlace(id: string) {
	return { table: "outbox", row: id, column: "payload_sealed" };
}
