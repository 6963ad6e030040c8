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
	/** Null: the partner's webhook. */
	address: string | null;
	/** Webhook: the body. E-mail: {@link EmittedPayload} as JSON. */
	payload: string;
	attempts: number;
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
	const deliveries = recipients(settings, order.partnerCopy).map(
		(address): Delivery => ({
			id: crypto.randomUUID(),
			partnerId,
			channel: address === null ? "webhook" : "email",
			address,
			payload: address === null ? body : text,
			attempts: triedAtOnce ? 1 : 0,
			startedAt: now,
			leasedUntil,
		}),
	);
	if (deliveries.length === 0) return { statements: [], deliveries };
	const rows = await Promise.all(
		deliveries.map(async ({ id, channel, address, payload, attempts }) => ({
			id,
			partnerId,
			code: order.payload.code,
			event: "certificate.emitted" as const,
			channel,
			recipientSealed: address === null ? null : await sealer.seal(address, recipientPlace(id)),
			payloadSealed: await sealer.seal(payload, payloadPlace(id)),
			createdAt: now,
			nextAttemptAt: leasedUntil,
			attempts,
		})),
	);
	return { statements: [insertDeliveries(db, rows)], deliveries };
}

/**
 * E-mail addresses, and null for the webhook. A B2B partner without any address still gets a webhook row: its
 * certificate waits until an address is set.
 */
function recipients(settings: PartnerSettings, partnerCopy: string | null): (string | null)[] {
	const subscribed = settings.webhookUrl !== null && settings.webhookEvents.includes("certificate.emitted");
	const isB2b = settings.mode === "B2B";
	const deliveryEmail = isB2b ? settings.deliveryEmail : null;
	const emails = [...new Set([deliveryEmail, partnerCopy])].filter((address) => address !== null);
	return subscribed || (isB2b && deliveryEmail === null) ? [null, ...emails] : emails;
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
