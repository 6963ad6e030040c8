import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createBatch, findEarlierBatch } from "../db/batches.ts";
import type { IdempotencyMark } from "../db/idempotency-keys.ts";
import type { Db } from "../db/query.ts";
import { CODE_BYTES, formatCode } from "../domain/code-form.ts";
import { BODY_MAX, BULK_MAX } from "../domain/limits.ts";
import { PRODUCT_CODES } from "../domain/products.ts";
import { createApi, idempotencyHeader, PARTNER_KEY } from "../http/api.ts";
import type { AppEnv } from "../http/app-env.ts";
import { authenticate } from "../http/authenticate.ts";
import { limitBody, requireJson } from "../http/body.ts";
import { markReplayed, readIdempotencyKey } from "../http/idempotency.ts";
import { limitBulk } from "../http/rate-limit.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { BODY_ERRORS, responses } from "../http/responses.ts";

const body = z
	.strictObject(
		{
			productCode: z.enum(PRODUCT_CODES, "product").openapi({ example: "FV01" }),
			quantity: z.int("quantity").min(1, "quantity").max(BULK_MAX, "quantity").openapi({ example: 3 }),
		},
		"object",
	)
	.openapi("PurchaseCodeBulk");

const success = z
	.strictObject({
		success: z.literal(true),
		data: z.strictObject({ batchId: z.string(), pcodes: z.array(z.string()) }),
	})
	.openapi("PurchaseCodeBulkAnswer");

const route = createRoute({
	method: "post",
	path: "/pcode/bulk",
	tags: ["Purchase codes"],
	summary: "Create purchase codes in one batch",
	security: PARTNER_KEY,
	middleware: [limitBody(BODY_MAX), authenticate, limitBulk, requireJson] as const,
	request: {
		headers: idempotencyHeader,
		body: { required: true, content: { "application/json": { schema: body } } },
	},
	responses: responses(
		{
			status: 201,
			description: "Batch created (chosen: 201).",
			schema: success,
			example: {
				success: true,
				data: { batchId: "bt_01K9Q3V7M2", pcodes: ["7K3M-9QXT-2B4C-H8WD", "9B2C-4D6F-8H1J-K3MN"] },
			},
		},
		[
			{ status: 400, error: "VALIDATION_ERROR", when: "Chosen: productCode or quantity invalid." },
			{ status: 403, error: "PRODUCT_NOT_ENABLED", when: "Chosen: product not enabled for the partner." },
			{ status: 429, error: "RATE_LIMIT_EXCEEDED", when: "Chosen: more than 30 calls a minute." },
			...BODY_ERRORS,
		],
	),
});

export const bulk = createApi().openapi(route, async (c) => {
	const { productCode, quantity } = c.req.valid("json");
	const idempotency = await readIdempotencyKey(c);
	if (idempotency instanceof Response) return idempotency;
	const { partnerId, keyId } = c.get("owner");
	const db = c.get("platform").db;
	const mark = idempotency && { partnerId, keyId: idempotency.keyId, fingerprint: idempotency.fingerprint };
	const id = `bt_${crypto.randomUUID().replaceAll("-", "")}`;
	const codes = createCodes(quantity);
	const creation = await createBatch(db, {
		id,
		partnerId,
		product: productCode,
		codes,
		now: Date.now(),
		actor: `partner:${keyId}`,
		requestId: c.get("requestId"),
		idempotency: mark,
	});
	switch (creation.kind) {
		case "created":
			return created(c, id, codes);
		case "key_used":
			return repeat(c, db, mark!);
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

/** The first call's answer again: it lies in the register, nothing about it is secret from its partner. */
async function repeat(c: Context<AppEnv>, db: Db, mark: IdempotencyMark): Promise<Response> {
	const earlier = await findEarlierBatch(db, mark, Date.now());
	if (earlier.kind === "mismatch") return rejectionAnswer(c, { reason: "idempotency_mismatch" });
	if (earlier.kind === "running") return rejectionAnswer(c, { reason: "idempotency_in_progress" });
	markReplayed(c, c.get("language"));
	return created(c, earlier.batchId, earlier.codes);
}

function created(c: Context<AppEnv>, batchId: string, pcodes: string[]): Response {
	const answer: z.infer<typeof success> = { success: true, data: { batchId, pcodes } };
	return c.json(answer, 201);
}
