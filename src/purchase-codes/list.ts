import { createRoute, z } from "@hono/zod-openapi";
import { type ListedCode, listPurchaseCodes } from "../db/list-purchase-codes.ts";
import { expiresAt } from "../domain/code-facts.ts";
import { readInstant } from "../domain/dates.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../domain/limits.ts";
import { categoryOf } from "../domain/products.ts";
import { LIST_STATUSES, listStatus, processing } from "../domain/status-tables.ts";
import { createApi, PARTNER_KEY } from "../http/api.ts";
import { authenticate } from "../http/authenticate.ts";
import { printable } from "../http/fields.ts";
import type { Hint } from "../http/hints.ts";
import { limitCalls } from "../http/rate-limit.ts";
import { dateTime, responses } from "../http/responses.ts";

/** Pages beyond this many codes would not be numbers that SQL counts exactly; no partner has them. */
const PAGE_MAX = 1_000_000_000;

const query = z
	.strictObject({
		status: z
			.enum(LIST_STATUSES, "listStatus")
			.optional()
			.openapi({ description: "Chosen: see §3.2 of the reference." }),
		page: wholeNumber("page", 1, PAGE_MAX)
			.optional()
			.openapi({ type: "integer", minimum: 1, description: "Chosen: from 1." }),
		limit: wholeNumber("limit", 1, PAGE_SIZE_MAX).optional().openapi({
			type: "integer",
			minimum: 1,
			maximum: PAGE_SIZE_MAX,
			description: "Chosen: default 50, at most 500.",
		}),
		created_from: instant().optional().openapi({
			type: "string",
			description:
				"UTC; YYYY-MM-DD or full timestamp. Chosen: an offset is read, without one it is UTC; not after created_to.",
			example: "2026-11-01",
		}),
		created_to: instant().optional().openapi({
			type: "string",
			description: "UTC; YYYY-MM-DD or full timestamp; a bare date includes the whole day.",
			example: "2026-11-30",
		}),
		external_reference_id: printable(128, "text").optional(),
		batch_id: printable(128, "text").optional(),
	})
	.refine(({ created_from: from, created_to: to }) => !from || !to || from.first <= to.last, {
		message: "range" satisfies Hint,
		path: ["created_from"],
	});

const item = z
	.strictObject({
		pcode: z.string(),
		partnerName: z.string(),
		category: z.int().openapi({ description: "Chosen: the product's number, FV00 0 to FV03 3." }),
		status: z.enum(LIST_STATUSES).openapi({ description: "Derived at this read (§3.2)." }),
		processing: z
			.int()
			.openapi({ description: "Chosen: 1 while a validation or an emission of the code runs, else 0." }),
		batch_id: z.string(),
		external_reference_id: z
			.string()
			.nullable()
			.openapi({ description: "Chosen: referenceId of the latest accepted certificate_request." }),
		expires_at: dateTime.openapi({ description: "Chosen: created_at and 14 days." }),
		created_at: dateTime,
		updated_at: dateTime,
	})
	.openapi("PurchaseCode");

const success = z
	.strictObject({
		success: z.literal(true),
		data: z.strictObject({
			pcodes: z.array(item),
			pagination: z.strictObject({ total: z.int(), page: z.int(), limit: z.int() }),
		}),
	})
	.openapi("PurchaseCodesAnswer");

const route = createRoute({
	method: "get",
	path: "/pcodes",
	tags: ["Purchase codes"],
	summary: "List the calling partner's purchase codes",
	description: "Chosen: newest first, then by code; `total` is exact under every filter.",
	security: PARTNER_KEY,
	middleware: [authenticate, limitCalls] as const,
	request: { query },
	responses: responses(
		{
			status: 200,
			description: "One page.",
			schema: success,
			example: {
				success: true,
				data: {
					pcodes: [
						{
							pcode: "7K3M-9QXT-2B4C-H8WD",
							partnerName: "Demo Partner",
							category: 1,
							status: "sin_utilizar",
							processing: 0,
							batch_id: "bt_01K9Q3V7M2",
							external_reference_id: null,
							expires_at: "2026-12-05T12:00:00.000Z",
							created_at: "2026-11-21T12:00:00.000Z",
							updated_at: "2026-11-21T12:00:00.000Z",
						},
					],
					pagination: { total: 1, page: 1, limit: 50 },
				},
			},
		},
		[
			{
				status: 400,
				error: "VALIDATION_ERROR",
				when: "Chosen: unknown status value or parameter, page or limit out of range, created_from after created_to, a parameter sent twice.",
			},
			{ status: 429, error: "RATE_LIMIT_EXCEEDED", when: "Chosen: more than 600 calls a minute." },
		],
	),
});

export const list = createApi().openapi(route, async (c) => {
	const { status, page = 1, limit = PAGE_SIZE_DEFAULT, ...filter } = c.req.valid("query");
	const { partnerId, partnerName } = c.get("owner");
	const now = Date.now();
	const { total, codes } = await listPurchaseCodes(c.get("platform").db, {
		partnerId,
		now,
		limit,
		offset: (page - 1) * limit,
		...(status && { status }),
		...(filter.external_reference_id !== undefined && { reference: filter.external_reference_id }),
		...(filter.batch_id !== undefined && { batchId: filter.batch_id }),
		...(filter.created_from && { createdFrom: filter.created_from.first }),
		...(filter.created_to && { createdTo: filter.created_to.last }),
	});
	const pcodes = codes.map((code) => present(code, partnerName, now));
	const answer: z.infer<typeof success> = {
		success: true,
		data: { pcodes, pagination: { total, page, limit } },
	};
	return c.json(answer, 200);
});

function present(code: ListedCode, partnerName: string, now: number): z.infer<typeof item> {
	return {
		pcode: code.code,
		partnerName,
		category: categoryOf(code.product),
		status: listStatus(code, now),
		processing: processing(code, now),
		batch_id: code.batchId,
		external_reference_id: code.externalReferenceId,
		expires_at: new Date(expiresAt(code.createdAt)).toISOString(),
		created_at: new Date(code.createdAt).toISOString(),
		updated_at: new Date(code.updatedAt).toISOString(),
	};
}

function wholeNumber(hint: Hint, minimum: number, maximum: number) {
	return z
		.string(hint)
		.regex(/^[0-9]{1,10}$/, hint)
		.transform(Number)
		.pipe(z.int(hint).min(minimum, hint).max(maximum, hint));
}

function instant() {
	return z.string("instant").transform((text, context) => {
		const range = readInstant(text);
		if (range !== null) return range;
		context.addIssue({ code: "custom", message: "instant" satisfies Hint });
		return z.NEVER;
	});
}
