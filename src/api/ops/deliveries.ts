import { z } from "@hono/zod-openapi";
import { PAGE_SIZE_DEFAULT } from "../../domain/limits.ts";
import { createApi } from "../../http/api.ts";
import { errorAnswer } from "../../http/errors.ts";
import { pageLimit } from "../../http/query-fields.ts";
import { successBody } from "../../http/responses.ts";
import { listAllDeliveries } from "../../services/all-deliveries.ts";
import { opsCaller } from "../../services/caller.ts";
import { resendAnyDelivery } from "../../services/resend-delivery.ts";
import { silentDatabases } from "../../wire/database.ts";
import { DELIVERY_EXAMPLE, deliverySchema, deliveryState, presentDelivery } from "../../wire/delivery.ts";
import { opsRoute } from "./ops-route.ts";

const list = opsRoute({
	id: "listDeliveries",
	tag: "Deliveries",
	role: "read",
	method: "get",
	path: "/deliveries",
	request: {
		query: z.strictObject({
			state: deliveryState.optional(),
			partner_id: z.string("identifier").max(64, "identifier").optional(),
			limit: pageLimit,
		}),
	},
	success: {
		status: 200,
		schema: successBody(z.strictObject({ deliveries: z.array(deliverySchema), silent: silentDatabases })),
		example: { success: true, data: { deliveries: [DELIVERY_EXAMPLE], silent: [] } },
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
		schema: successBody(z.strictObject({ delivery: deliverySchema })),
		example: { success: true, data: { delivery: DELIVERY_EXAMPLE } },
	},
	reasons: ["payload_erased"],
});

export const opsDeliveries = createApi()
	.openapi(list, async (c) => {
		const { state, partner_id, limit } = c.req.valid("query");
		const { deliveries, silent } = await listAllDeliveries(c.get("platform"), {
			state,
			partnerId: partner_id,
			limit: limit ?? PAGE_SIZE_DEFAULT,
		});
		const data = { deliveries: deliveries.map(presentDelivery), silent };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(resend, async (c) => {
		const resent = await resendAnyDelivery(opsCaller(c), c.req.valid("param").id);
		if (resent.kind === "refused") return errorAnswer(c, resent.reason);
		return c.json({ success: true as const, data: { delivery: presentDelivery(resent.row) } }, 200);
	});
