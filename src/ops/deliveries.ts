import { createRoute, z } from "@hono/zod-openapi";
import { appendAudit } from "../db/audit-events.ts";
import { findDelivery, listDeliveries, type OutboxRow, reopenDelivery, stateOf } from "../db/outbox.ts";
import { enqueue } from "../delivery/queue.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../domain/limits.ts";
import { createApi } from "../http/api.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { authorizeOps } from "./authorize-ops.ts";
import { originOf } from "./new-key.ts";
import { OPS_SECURITY, opsResponses } from "./route-parts.ts";
import { timestamp } from "./wire.ts";

const list = createRoute({
	method: "get",
	path: "/deliveries",
	tags: ["Ops"],
	summary: "List deliveries, newest first: pending, delivered, dead letters; no personal data",
	security: OPS_SECURITY,
	middleware: [authorizeOps] as const,
	request: {
		query: z.strictObject({
			state: z.enum(["pending", "delivered", "dead"], "deliveryState").optional(),
			partner_id: z.string("identifier").max(64, "identifier").optional(),
			limit: z
				.string("limit")
				.regex(/^[0-9]{1,3}$/, "limit")
				.transform(Number)
				.refine((limit) => limit >= 1 && limit <= PAGE_SIZE_MAX, "limit")
				.optional()
				.openapi({
					type: "integer",
					description: `1 to ${PAGE_SIZE_MAX}, ${PAGE_SIZE_DEFAULT} if not given.`,
				}),
		}),
	},
	responses: opsResponses(200, "The deliveries."),
});

const resend = createRoute({
	method: "post",
	path: "/deliveries/{id}/resend",
	tags: ["Ops"],
	summary: "Send a delivery again: a new round of attempts under the same webhook-id; audited",
	security: OPS_SECURITY,
	middleware: [authorizeOps] as const,
	request: { params: z.object({ id: z.string().max(64, "identifier") }) },
	responses: opsResponses(200, "The delivery as it is now.", [
		{
			status: 406,
			error: "VALIDATION_ERROR",
			when: "PAYLOAD_ERASED: delivered, withdrawn by a cancellation or a revocation, or past its time.",
		},
	]),
});

export const opsDeliveries = createApi()
	.openapi(list, async (c) => {
		const { state, partner_id, limit } = c.req.valid("query");
		const rows = await listDeliveries(c.get("platform").db, {
			state,
			partnerId: partner_id,
			limit: limit ?? PAGE_SIZE_DEFAULT,
		});
		return c.json({ success: true, data: { deliveries: rows.map(present) } }, 200);
	})
	.openapi(resend, async (c) => {
		const { id } = c.req.valid("param");
		const platform = c.get("platform");
		const { db } = platform;
		const row = await findDelivery(db, id);
		if (!row) return rejectionAnswer(c, { reason: "not_found" });
		if (row.payloadSealed === null) return rejectionAnswer(c, { reason: "payload_erased" });
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
		return c.json({ success: true, data: { delivery } }, 200);
	});

function present(row: OutboxRow) {
	return {
		id: row.id,
		partner_id: row.partnerId,
		p_code: row.code,
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
