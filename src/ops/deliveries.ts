import { z } from "@hono/zod-openapi";
import { appendAudit } from "../db/audit-events.ts";
import { findDelivery, listDeliveries, stateOf } from "../db/find-deliveries.ts";
import type { OutboxRow } from "../db/outbox.ts";
import { reopenDelivery } from "../db/reopen-deliveries.ts";
import { enqueue } from "../delivery/queue.ts";
import { DELIVERY_KINDS } from "../domain/holder-messages.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../domain/limits.ts";
import { createApi } from "../http/api.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";
import { dateTime, successBody } from "../http/responses.ts";
import { timestamp } from "../http/timestamp.ts";
import { mark } from "../texts/language.ts";
import { OPS_REFERENCE } from "../texts/ops-reference.ts";
import { originOf } from "./authorize.ts";
import { opsRoute } from "./ops-route.ts";

const STATES = ["pending", "delivered", "dead"] as const;

const delivery = z
	.strictObject({
		id: z.string(),
		partner_id: z.string(),
		p_code: z
			.string()
			.nullable()
			.openapi({ description: mark(OPS_REFERENCE.deliveryCode) }),
		event: z.enum(DELIVERY_KINDS),
		channel: z.enum(["webhook", "email"]),
		state: z.enum(STATES),
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
	.openapi("Delivery");

const EXAMPLE: z.input<typeof delivery> = {
	id: "5f2b8a52-6a0e-4e0b-9f5e-0d6f0c1b7a11",
	partner_id: "pt_0f2c6f0c9b1d4a7e8c3b5a6d7e8f9a0b",
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

const list = opsRoute({
	id: "listDeliveries",
	tag: "Deliveries",
	role: "read",
	method: "get",
	path: "/deliveries",
	request: {
		query: z.strictObject({
			state: z.enum(STATES, "deliveryState").optional(),
			partner_id: z.string("identifier").max(64, "identifier").optional(),
			limit: z
				.string("limit")
				.regex(/^[0-9]{1,3}$/, "limit")
				.transform(Number)
				.refine((limit) => limit >= 1 && limit <= PAGE_SIZE_MAX, "limit")
				.optional()
				.openapi({
					type: "integer",
					minimum: 1,
					maximum: PAGE_SIZE_MAX,
					description: mark(OPS_REFERENCE.limit),
				}),
		}),
	},
	success: {
		status: 200,
		schema: successBody(z.strictObject({ deliveries: z.array(delivery) })),
		example: { success: true, data: { deliveries: [EXAMPLE] } },
	},
	reasons: [],
});

const resend = opsRoute({
	id: "resendDelivery",
	tag: "Deliveries",
	role: "operate",
	method: "post",
	path: "/deliveries/{id}/resend",
	request: { params: z.object({ id: z.string().max(64, "identifier") }) },
	success: {
		status: 200,
		schema: successBody(z.strictObject({ delivery })),
		example: { success: true, data: { delivery: EXAMPLE } },
	},
	reasons: ["payload_erased"],
});

export const opsDeliveries = createApi()
	.openapi(list, async (c) => {
		const { state, partner_id, limit } = c.req.valid("query");
		const rows = await listDeliveries(c.get("platform").db, {
			state,
			partnerId: partner_id,
			limit: limit ?? PAGE_SIZE_DEFAULT,
		});
		return c.json({ success: true as const, data: { deliveries: rows.map(present) } }, 200);
	})
	.openapi(resend, async (c) => {
		const { id } = c.req.valid("param");
		const platform = platformIn(c);
		const { db } = platform;
		const row = await findDelivery(db, id);
		if (!row) return errorAnswer(c, "not_found");
		if (row.payloadSealed === null) return errorAnswer(c, "payload_erased");
		const origin = originOf(c);
		const { partnerId } = row;
		await appendAudit(
			db,
			{
				entity: `delivery:${id}`,
				partnerId,
				action: "delivery_resent",
				outcome: row.lastOutcome ?? "untried",
			},
			origin,
			[reopenDelivery(db, { id, partnerId }, origin.now)],
		);
		c.executionCtx.waitUntil(enqueue(platform, [{ id, at: origin.now }]));
		const delivery = present((await findDelivery(db, id)) ?? row);
		return c.json({ success: true as const, data: { delivery } }, 200);
	});

function present(row: OutboxRow) {
	return {
		id: row.id,
		partner_id: row.partnerId,
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
		payload_kept: row.payloadSealed !== null,
	};
}
