import { z } from "@hono/zod-openapi";
import { BULK_MAX } from "../../../domain/limits.ts";
import { PRODUCT_CODES } from "../../../domain/products.ts";
import { createApi } from "../../../http/api.ts";
import { idempotencyHeader, markReplayed, readIdempotencyKey } from "../../../http/idempotency.ts";
import { partnerRoute } from "../../../http/partner-route.ts";
import { limitBulk } from "../../../http/rate-limit.ts";
import { rejectionAnswer } from "../../../http/rejections.ts";
import { jsonBody, successBody } from "../../../http/responses.ts";
import { partnerCaller } from "../../../services/caller.ts";
import { createCodes } from "../../../services/create-codes.ts";
import { mark } from "../../../texts/language.ts";
import { REFERENCE } from "../../../texts/reference.ts";

const body = z
	.strictObject(
		{
			productCode: z
				.enum(PRODUCT_CODES, "product")
				.openapi({ description: mark(REFERENCE.productCode), example: "FV01" }),
			quantity: z
				.int("quantity")
				.min(1, "quantity")
				.max(BULK_MAX, "quantity")
				.openapi({ description: mark(REFERENCE.quantity), example: 3 }),
		},
		"object",
	)
	.openapi("PurchaseCodeBulk");

const success = successBody(z.strictObject({ batchId: z.string(), pcodes: z.array(z.string()) })).openapi(
	"PurchaseCodeBulkAnswer",
);

const route = partnerRoute({
	id: "createPurchaseCodes",
	tag: "Purchase codes",
	scope: "codes",
	method: "post",
	path: "/pcode/bulk",
	limit: limitBulk,
	request: { headers: idempotencyHeader, ...jsonBody(body) },
	success: {
		status: 201,
		schema: success,
		example: {
			success: true,
			data: {
				batchId: "bt_5f2b8a526a0e4e0b9f5e0d6f0c1b7a11",
				pcodes: ["7K3M-9QXT-2B4C-H8WD", "9B2C-4D6F-8H1J-K3MN"],
			},
		},
	},
	reasons: ["product_not_enabled", "code_quota_exceeded", "outcome_unknown"],
	invalid: { field: "quantity", hint: "quantity" },
});

export const bulk = createApi().openapi(route, async (c) => {
	const idempotency = await readIdempotencyKey(c);
	if (idempotency instanceof Response) return idempotency;
	const caller = partnerCaller(c);
	const { partnerId } = caller;
	const made = await createCodes(caller, {
		...c.req.valid("json"),
		idempotency: idempotency && {
			partnerId,
			keyId: idempotency.keyId,
			fingerprint: idempotency.fingerprint,
		},
	});
	if (made.kind === "rejected") return rejectionAnswer(c, made.rejection);
	if (made.repeated) markReplayed(c, c.get("language"));
	const { batchId, codes } = made;
	return c.json({ success: true as const, data: { batchId, pcodes: codes } }, 201);
});
