import { z } from "@hono/zod-openapi";
import type { AttemptRow } from "../../../db/delivery-attempts.ts";
import { findOwnDelivery } from "../../../db/partner-deliveries.ts";
import { createApi } from "../../../http/api.ts";
import { errorAnswer } from "../../../http/errors.ts";
import { limitCalls } from "../../../http/rate-limit.ts";
import { dateTime, successBody } from "../../../http/responses.ts";
import { timestamp } from "../../../http/timestamp.ts";
import { partnerCaller } from "../../../services/caller.ts";
import { listDeliveries } from "../../../services/list-deliveries.ts";
import { resendDelivery } from "../../../services/resend-delivery.ts";
import { DESK_REFERENCE } from "../../../texts/desk-reference.ts";
import { mark } from "../../../texts/language.ts";
import { DELIVERY_EXAMPLE, deliveryFields, deliveryQuery, presentDelivery } from "../../../wire/delivery.ts";
import { deskRoute } from "./desk-route.ts";

const delivery = z.strictObject(deliveryFields).openapi("OwnDelivery");

const attempt = z
	.strictObject({
		at: dateTime,
		channel: deliveryFields.channel,
		outcome: z.string().openapi({ description: mark(DESK_REFERENCE.attemptOutcome) }),
		http_status: z.int().nullable(),
		duration_ms: z.int(),
	})
	.openapi("DeliveryAttempt");

const list = deskRoute({
	id: "listOwnDeliveries",
	tag: "Desk",
	scope: "read",
	method: "get",
	path: "/deliveries",
	limit: limitCalls,
	request: { query: deliveryQuery },
	success: {
		status: 200,
		schema: successBody(z.strictObject({ deliveries: z.array(delivery), next: z.string().nullable() })),
		example: { success: true, data: { deliveries: [DELIVERY_EXAMPLE], next: null } },
	},
	reasons: [],
	invalid: { field: "state", hint: "deliveryState" },
});

const path = z.object({ id: z.string().max(64, "identifier").openapi({ example: DELIVERY_EXAMPLE.id }) });

const show = deskRoute({
	id: "showOwnDelivery",
	tag: "Desk",
	scope: "read",
	method: "get",
	path: "/deliveries/{id}",
	limit: limitCalls,
	request: { params: path, query: z.strictObject({}) },
	success: {
		status: 200,
		schema: successBody(z.strictObject({ delivery, attempts: z.array(attempt) })),
		example: {
			success: true,
			data: {
				delivery: DELIVERY_EXAMPLE,
				attempts: [
					{
						at: "2026-11-21T12:00:00.500Z",
						channel: "webhook",
						outcome: "http 503",
						http_status: 503,
						duration_ms: 412,
					},
				],
			},
		},
	},
	reasons: ["not_found"],
	invalid: { field: "id", hint: "identifier" },
});

const resend = deskRoute({
	id: "resendOwnDelivery",
	tag: "Desk",
	scope: "manage",
	method: "post",
	path: "/deliveries/{id}/resend",
	limit: limitCalls,
	request: { params: path },
	success: {
		status: 200,
		schema: successBody(z.strictObject({ delivery })),
		example: { success: true, data: { delivery: DELIVERY_EXAMPLE } },
	},
	reasons: ["not_found", "payload_erased"],
	invalid: { field: "id", hint: "identifier" },
});

export const ownDeliveries = createApi()
	.openapi(list, async (c) => {
		const { page, next } = await listDeliveries(partnerCaller(c), c.req.valid("query"));
		return c.json({ success: true as const, data: { deliveries: page.map(presentDelivery), next } }, 200);
	})
	.openapi(show, async (c) => {
		const { id } = c.req.valid("param");
		const found = await findOwnDelivery(c.get("platform").db, { id, partnerId: c.get("owner").partnerId });
		if (!found) return errorAnswer(c, "not_found");
		const data = { delivery: presentDelivery(found.row), attempts: found.attempts.map(presentAttempt) };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(resend, async (c) => {
		const resent = await resendDelivery(partnerCaller(c), c.req.valid("param").id);
		if (resent.kind === "refused") return errorAnswer(c, resent.reason);
		return c.json({ success: true as const, data: { delivery: presentDelivery(resent.row) } }, 200);
	});

function presentAttempt({ at, channel, outcome, httpStatus, durationMs }: AttemptRow) {
	return { at: timestamp(at), channel, outcome, http_status: httpStatus, duration_ms: durationMs };
}
