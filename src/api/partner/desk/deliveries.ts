import { z } from "@hono/zod-openapi";
import { findOwnDelivery } from "../../../db/deliveries.ts";
import { createApi } from "../../../http/api.ts";
import { errorAnswer } from "../../../http/errors.ts";
import { limitCalls } from "../../../http/rate-limit.ts";
import { successBody } from "../../../http/responses.ts";
import { partnerCaller } from "../../../services/caller.ts";
import { listDeliveries } from "../../../services/list-deliveries.ts";
import { resendDelivery } from "../../../services/resend-delivery.ts";
import {
	ATTEMPT_EXAMPLE,
	attemptSchema,
	deliveryQuery,
	OWN_DELIVERY_EXAMPLE,
	ownDeliverySchema,
	presentAttempt,
	presentOwnDelivery,
} from "../../../wire/delivery.ts";
import { deskRoute } from "./desk-route.ts";

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
		schema: successBody(
			z.strictObject({ deliveries: z.array(ownDeliverySchema), next: z.string().nullable() }),
		),
		example: { success: true, data: { deliveries: [OWN_DELIVERY_EXAMPLE], next: null } },
	},
	reasons: [],
	invalid: { field: "state", hint: "deliveryState" },
});

const path = z.object({ id: z.string().max(64, "identifier").openapi({ example: OWN_DELIVERY_EXAMPLE.id }) });

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
		schema: successBody(z.strictObject({ delivery: ownDeliverySchema, attempts: z.array(attemptSchema) })),
		example: {
			success: true,
			data: {
				delivery: OWN_DELIVERY_EXAMPLE,
				attempts: [ATTEMPT_EXAMPLE],
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
		schema: successBody(z.strictObject({ delivery: ownDeliverySchema })),
		example: { success: true, data: { delivery: OWN_DELIVERY_EXAMPLE } },
	},
	reasons: ["not_found", "payload_erased"],
	invalid: { field: "id", hint: "identifier" },
});

export const ownDeliveries = createApi()
	.openapi(list, async (c) => {
		const { page, next } = await listDeliveries(partnerCaller(c), c.req.valid("query"));
		return c.json({ success: true as const, data: { deliveries: page.map(presentOwnDelivery), next } }, 200);
	})
	.openapi(show, async (c) => {
		const { id } = c.req.valid("param");
		const { db, partnerId } = c.get("owner");
		const found = await findOwnDelivery(db, { id, partnerId });
		if (!found) return errorAnswer(c, "not_found");
		const data = { delivery: presentOwnDelivery(found.row), attempts: found.attempts.map(presentAttempt) };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(resend, async (c) => {
		const resent = await resendDelivery(partnerCaller(c), c.req.valid("param").id);
		if (resent.kind === "refused") return errorAnswer(c, resent.reason);
		return c.json({ success: true as const, data: { delivery: presentOwnDelivery(resent.row) } }, 200);
	});
