import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { clock } from "../clock.ts";
import { createBatch, findEarlierBatch } from "../db/batches.ts";
import type { IdempotencyMark } from "../db/idempotency-keys.ts";
import type { Db } from "../db/query.ts";
import { CODE_BYTES, formatCode } from "../domain/code-form.ts";
import { BULK_MAX } from "../domain/limits.ts";
import { isSellable, PRODUCT_CODES } from "../domain/products.ts";
import { createApi } from "../http/api.ts";
import type { AppEnv } from "../http/app-env.ts";
import { idempotencyHeader, markReplayed, readIdempotencyKey } from "../http/idempotency.ts";
import { partnerRoute } from "../http/partner-route.ts";
import { platformIn } from "../http/platform-in.ts";
import { limitBulk } from "../http/rate-limit.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { jsonBody, successBody } from "../http/responses.ts";
import { mark } from "../texts/language.ts";
import { REFERENCE } from "../texts/reference.ts";

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
	reasons: ["product_not_enabled"],
	invalid: { field: "quantity", hint: "quantity" },
});

export const bulk = createApi().openapi(route, async (c) => {
	const { productCode, quantity } = c.req.valid("json");
	const idempotency = await readIdempotencyKey(c);
	if (idempotency instanceof Response) return idempotency;
	const { partnerId, keyId } = c.get("owner");
	const { db, authority } = platformIn(c);
	const idempotencyMark = idempotency && {
		partnerId,
		keyId: idempotency.keyId,
		fingerprint: idempotency.fingerprint,
	};
	const id = `bt_${crypto.randomUUID().replaceAll("-", "")}`;
	const codes = createCodes(quantity);
	const now = clock();
	const creation = await createBatch(db, {
		id,
		partnerId,
		product: productCode,
		sellable: isSellable(productCode, now, authority),
		codes,
		now,
		actor: `partner:${keyId}`,
		requestId: c.get("requestId"),
		idempotency: idempotencyMark,
	});
	switch (creation.kind) {
		case "created":
			return created(c, id, codes);
		case "key_used":
			return repeat(c, db, idempotencyMark!);
		case "not_sellable":
			return rejectionAnswer(c, { reason: "service_unavailable" });
		case "product_not_enabled":
		case "unauthorized":
			return rejectionAnswer(c, { reason: creation.kind });
	}
});

/** Different codes in the order of the list: newest batch first, then by code. */
function createCodes(quantity: number): string[] {
	const codes = new Set<string>();
	while (codes.size < quantity) codes.add(formatCode(crypto.getRandomValues(new Uint8Array(CODE_BYTES))));
	return [...codes].sort();
}

/** The first call's answer again, from the db: nothing in it is secret from its partner. */
async function repeat(c: Context<AppEnv>, db: Db, earlierCall: IdempotencyMark) {
	const earlier = await findEarlierBatch(db, earlierCall, clock());
	if (earlier.kind === "mismatch") return rejectionAnswer(c, { reason: "idempotency_mismatch" });
	if (earlier.kind === "running") return rejectionAnswer(c, { reason: "idempotency_in_progress" });
	markReplayed(c, c.get("language"));
	return created(c, earlier.batchId, earlier.codes);
}

function created(c: Context<AppEnv>, batchId: string, pcodes: string[]) {
	return c.json({ success: true as const, data: { batchId, pcodes } }, 201);
}
