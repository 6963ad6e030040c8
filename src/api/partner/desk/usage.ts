import { z } from "@hono/zod-openapi";
import { readUsage } from "../../../db/usage.ts";
import { PRODUCT_CODES } from "../../../domain/products.ts";
import { sumUsage, type UsageCount } from "../../../domain/usage.ts";
import { createApi } from "../../../http/api.ts";
import { limitCalls } from "../../../http/rate-limit.ts";
import { successBody } from "../../../http/responses.ts";
import { partnerCaller } from "../../../services/caller.ts";
import { DESK_FIELDS } from "../../../texts/desk-codes.ts";
import { mark } from "../../../texts/language.ts";
import { deskRoute } from "./desk-route.ts";

const count = z.int().min(0);

export const usageQuery = z.strictObject({
	month: z
		.string("month")
		.regex(/^20[0-9]{2}-(0[1-9]|1[0-2])$/, "month")
		.optional()
		.openapi({ description: mark(DESK_FIELDS.month), example: "2026-11" }),
});

/** Usage of a month by product. */
export const usageSchema = z
	.strictObject({
		month: z.string(),
		time_zone: z.literal("America/Santiago"),
		products: z.array(
			z
				.strictObject({
					product: z.enum(PRODUCT_CODES),
					created: count,
					validated: count,
					emitted: count,
					revoked: count,
					expired: count,
				})
				.openapi("ProductUsage"),
		),
	})
	.openapi("Usage");

export const USAGE_EXAMPLE: z.input<typeof usageSchema> = {
	month: "2026-11",
	time_zone: "America/Santiago",
	products: [{ product: "FV01", created: 500, validated: 312, emitted: 305, revoked: 2, expired: 41 }],
};

export function presentUsage(month: string, counts: readonly UsageCount[]): z.input<typeof usageSchema> {
	return { month, time_zone: "America/Santiago", products: sumUsage(counts) };
}

const route = deskRoute({
	id: "getUsage",
	tag: "Certificates",
	scope: "read",
	method: "get",
	path: "/usage",
	limit: limitCalls,
	request: { query: usageQuery },
	success: {
		status: 200,
		schema: successBody(usageSchema).openapi("UsageAnswer"),
		example: { success: true, data: USAGE_EXAMPLE },
	},
	reasons: [],
	invalid: { field: "month", hint: "month" },
});

export const usage = createApi().openapi(route, async (c) => {
	const { month: asked = "" } = c.req.valid("query");
	const { db, partnerId, now } = partnerCaller(c);
	const { month, counts } = await readUsage(db, { partnerId, month: asked, now });
	return c.json({ success: true as const, data: presentUsage(month, counts) }, 200);
});
