import { z } from "@hono/zod-openapi";
import { DELIVERY_STATES, type ShownDelivery, stateOf } from "../db/deliveries.ts";
import type { AttemptRow } from "../db/delivery-attempts.ts";
import type { OutboxRow } from "../db/outbox.ts";
import type { Ping } from "../delivery/ping.ts";
import { DELIVERY_STANDINGS, type DeliveryStanding } from "../domain/delivery-standing.ts";
import { DELIVERY_KINDS } from "../domain/holder-messages.ts";
import { cursorField } from "../http/cursor.ts";
import { purchaseCode } from "../http/fields.ts";
import { instant, pageLimit } from "../http/query-fields.ts";
import { dateTime, successBody } from "../http/responses.ts";
import { timestamp } from "../http/timestamp.ts";
import { DESK_REFERENCE } from "../texts/desk-reference.ts";
import { mark } from "../texts/language.ts";

/* Deliveries as ops and partners see them: no personal data, no text of the receiver. */

export const deliveryState = z.enum(DELIVERY_STATES, "deliveryState");
const deliveryEvent = z.enum(DELIVERY_KINDS, "deliveryEvent");

/** A delivery as its partner sees it. */
export const ownDeliverySchema = z
	.strictObject({
		id: z.string(),
		p_code: z
			.string()
			.nullable()
			.openapi({ description: mark(DESK_REFERENCE.deliveryCode) }),
		event: deliveryEvent,
		channel: z.enum(["webhook", "email"]),
		state: deliveryState,
		attempts: z.int(),
		last_outcome: z.string().nullable(),
		created_at: dateTime,
		last_attempt_at: dateTime.nullable(),
		next_attempt_at: dateTime.nullable(),
		delivered_at: dateTime.nullable(),
		dead_at: dateTime.nullable(),
		resent_at: dateTime.nullable(),
		payload_kept: z.boolean(),
	})
	.openapi("OwnDelivery");

/** A delivery as ops see it. */
export const deliverySchema = z
	.strictObject({ partner_id: z.string(), ...ownDeliverySchema.shape })
	.openapi("Delivery");

export const OWN_DELIVERY_EXAMPLE: z.input<typeof ownDeliverySchema> = {
	id: "5f2b8a52-6a0e-4e0b-9f5e-0d6f0c1b7a11",
	p_code: "7K3M-9QXT-2B4C-H8WD",
	event: "certificate.emitted",
	channel: "webhook",
	state: "pending",
	attempts: 1,
	last_outcome: "http 503",
	created_at: "2026-11-21T12:00:00.000Z",
	last_attempt_at: "2026-11-21T12:00:01.000Z",
	next_attempt_at: "2026-11-21T12:00:06.000Z",
	delivered_at: null,
	dead_at: null,
	resent_at: null,
	payload_kept: true,
};

export const DELIVERY_EXAMPLE: z.input<typeof deliverySchema> = {
	partner_id: "pt_0f2c6f0c9b1d4a7e",
	...OWN_DELIVERY_EXAMPLE,
};

export function presentOwnDelivery(row: OutboxRow | ShownDelivery): z.input<typeof ownDeliverySchema> {
	return {
		id: row.id,
		p_code: row.code || null,
		event: row.event,
		channel: row.channel,
		state: stateOf(row),
		attempts: row.attempts,
		last_outcome: row.lastOutcome,
		created_at: timestamp(row.createdAt),
		last_attempt_at: timestamp(row.lastAttemptAt),
		next_attempt_at: timestamp(row.nextAttemptAt),
		delivered_at: timestamp(row.deliveredAt),
		dead_at: timestamp(row.deadAt),
		resent_at: timestamp(row.resentAt),
		payload_kept: "payloadKept" in row ? row.payloadKept : row.payloadSealed !== null,
	};
}

export function presentDelivery(row: OutboxRow): z.input<typeof deliverySchema> {
	return { partner_id: row.partnerId, ...presentOwnDelivery(row) };
}

/** How the delivery of a B2B certificate stands. */
export const standingSchema = z
	.strictObject({
		status: z.enum(DELIVERY_STANDINGS).openapi({ description: mark(DESK_REFERENCE.standing) }),
		delivered_at: dateTime.nullable(),
		next_attempt_at: dateTime.nullable(),
	})
	.openapi("DeliveryStanding");

export function presentStanding(standing: DeliveryStanding): z.input<typeof standingSchema> {
	return {
		status: standing.status,
		delivered_at: timestamp(standing.deliveredAt),
		next_attempt_at: timestamp(standing.nextAttemptAt),
	};
}

/** One attempt of a delivery. */
export const attemptSchema = z
	.strictObject({
		at: dateTime,
		channel: ownDeliverySchema.shape.channel,
		outcome: z.string().openapi({ description: mark(DESK_REFERENCE.attemptOutcome) }),
		http_status: z.int().nullable(),
		duration_ms: z.int(),
	})
	.openapi("DeliveryAttempt");

export const ATTEMPT_EXAMPLE: z.input<typeof attemptSchema> = {
	at: "2026-11-21T12:00:00.500Z",
	channel: "webhook",
	outcome: "http 503",
	http_status: 503,
	duration_ms: 412,
};

export function presentAttempt(attempt: AttemptRow): z.input<typeof attemptSchema> {
	const { at, channel, outcome, httpStatus, durationMs } = attempt;
	return { at: timestamp(at), channel, outcome, http_status: httpStatus, duration_ms: durationMs };
}

/** Result of a test post that the call waited for. */
export const pingResult = {
	status: 200 as const,
	schema: successBody(
		z.strictObject({
			webhook_id: z.string(),
			webhook_url: z.string(),
			outcome: attemptSchema.shape.outcome,
			http_status: z.int().nullable(),
			duration_ms: z.int(),
		}),
	),
	example: {
		success: true as const,
		data: {
			webhook_id: "5f2b8a52-6a0e-4e0b-9f5e-0d6f0c1b7a11",
			webhook_url: "https://partner.example/webhooks/certificates",
			outcome: "delivered",
			http_status: 204,
			duration_ms: 182,
		},
	},
};

export function presentPing({ id, url, outcome, httpStatus, durationMs }: Ping) {
	return {
		webhook_id: id,
		webhook_url: url,
		outcome,
		http_status: httpStatus,
		duration_ms: durationMs,
	};
}

export const deliveryQuery = z.strictObject({
	state: deliveryState.optional(),
	event: deliveryEvent.optional(),
	p_code: purchaseCode.optional(),
	since: instant()
		.optional()
		.openapi({ type: "string", description: mark(DESK_REFERENCE.since), example: "2026-11-01" }),
	cursor: cursorField(z.strictObject({ createdAt: z.int(), id: z.string().max(64) })).optional(),
	limit: pageLimit,
});
