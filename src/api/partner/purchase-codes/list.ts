import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
	type ListedCode,
	type ListQuery,
	listPurchaseCodes,
	walkPurchaseCodes,
} from "../../../db/list-purchase-codes.ts";
import { CSV_ROWS_MAX, PAGE_SIZE_DEFAULT } from "../../../domain/limits.ts";
import type { ProductCode } from "../../../domain/products.ts";
import { LIST_STATUSES } from "../../../domain/status-tables.ts";
import { createApi, invalidField } from "../../../http/api.ts";
import type { AppEnv } from "../../../http/app-env.ts";
import { printable } from "../../../http/fields.ts";
import { partnerRoute } from "../../../http/partner-route.ts";
import { instant, pageLimit, wholeNumber } from "../../../http/query-fields.ts";
import { successBody } from "../../../http/responses.ts";
import { partnerCaller } from "../../../services/caller.ts";
import type { Hint } from "../../../texts/hints.ts";
import { mark } from "../../../texts/language.ts";
import { REFERENCE } from "../../../texts/reference.ts";
import { LISTED_CODE_EXAMPLE, listedCodeSchema, presentListedCode } from "../../../wire/purchase-code.ts";
import { type CsvForm, csvAnswer, limitList, wantsCsv } from "./list-csv.ts";

/** Pages beyond this many codes would exceed SQL's exact integers; no partner has them. */
const PAGE_MAX = 1_000_000_000;

export const listQuery = z
	.strictObject({
		status: z
			.enum(LIST_STATUSES, "listStatus")
			.optional()
			.openapi({ description: mark(REFERENCE.listStatus) }),
		page: wholeNumber("page", 1, PAGE_MAX)
			.optional()
			.openapi({ type: "integer", minimum: 1, description: mark(REFERENCE.page) }),
		limit: pageLimit,
		created_from: instant()
			.optional()
			.openapi({
				type: "string",
				description: mark(REFERENCE.createdFrom),
				example: "2026-11-01",
			}),
		created_to: instant()
			.optional()
			.openapi({
				type: "string",
				description: mark(REFERENCE.createdTo),
				example: "2026-11-30",
			}),
		external_reference_id: printable(128, "text").optional(),
		batch_id: printable(128, "text").optional(),
	})
	.refine(({ created_from: from, created_to: to }) => !from || !to || from.first <= to.last, {
		message: "range" satisfies Hint,
		path: ["created_from"],
	});

export const COLUMNS: readonly string[] = Object.keys(listedCodeSchema.shape);

const success = successBody(
	z.strictObject({
		pcodes: z.array(listedCodeSchema),
		pagination: z.strictObject({ total: z.int(), page: z.int(), limit: z.int() }),
	}),
).openapi("PurchaseCodesAnswer");

const route = partnerRoute({
	id: "listPurchaseCodes",
	tag: "Purchase codes",
	scope: "codes",
	method: "get",
	path: "/pcodes",
	limit: limitList,
	request: { query: listQuery },
	success: {
		status: 200,
		schema: success,
		example: {
			success: true,
			data: {
				pcodes: [LISTED_CODE_EXAMPLE],
				pagination: { total: 1, page: 1, limit: 50 },
			},
		},
		csv: `${COLUMNS.join()}\n${Object.values(LISTED_CODE_EXAMPLE).join()}\n`,
	},
	reasons: [],
	invalid: { field: "page", hint: "page" },
});

export const list = createApi().openapi(route, async (c) => {
	const asked = c.req.valid("query");
	c.header("Vary", "Accept");
	if (wantsCsv(c)) {
		for (const field of ["page", "limit"])
			if (c.req.query(field) !== undefined) return invalidField(c, field, "csvPaging", "NOT_ALLOWED");
		return (await codesAsCsv(c, asked, API_FILE)) ?? invalidField(c, "created_from", "csvRows");
	}
	const { total, codes, page, limit, now } = await listCodes(c, asked);
	const pcodes = codes.map((code) => presentListedCode(code, c.get("owner").partnerName, now));
	return c.json({ success: true as const, data: { pcodes, pagination: { total, page, limit } } }, 200);
});

/** A list that was asked for; the console's own filter and order besides (docs/decisions/0022-finding-things.md). */
type Asked = z.output<typeof listQuery> & {
	product_code?: ProductCode | undefined;
	sort?: "newest" | "oldest" | undefined;
};

/** A file of codes; `now` is the partner's time. */
export interface CodesFile extends Omit<CsvForm<ListedCode>, "cells"> {
	present: (code: ListedCode, partnerName: string, now: number) => ReturnType<CsvForm<ListedCode>["cells"]>;
}

/** A page of the codes of the partner that calls. */
export async function listCodes(
	c: Context<AppEnv>,
	{ page = 1, limit = PAGE_SIZE_DEFAULT, sort = "newest", ...filter }: Asked,
) {
	const selection = selectionOf(c, filter);
	const list = { ...selection, limit, offset: (page - 1) * limit, oldestFirst: sort === "oldest" };
	return { ...(await listPurchaseCodes(c.get("owner").db, list)), page, limit, now: selection.now };
}

const API_FILE: CodesFile = { separator: ",", columns: COLUMNS, present: presentListedCode };

/** All codes that pass the filters, as a file; null: more than a file may have. */
export async function codesAsCsv(
	c: Context<AppEnv>,
	filter: Omit<Asked, "page" | "limit" | "sort">,
	{ present, ...form }: CodesFile,
) {
	const selection = selectionOf(c, filter);
	const { total, pages } = await walkPurchaseCodes(c.get("owner").db, selection);
	if (total > CSV_ROWS_MAX) return null;
	const { partnerName } = c.get("owner");
	const cells = (code: ListedCode) => present(code, partnerName, selection.now);
	return csvAnswer(c, fileName(filter), { ...form, cells }, pages);
}

/** Names a batch's file after it. Text that is no batch's id is not put into a header. */
function fileName({ batch_id: batchId = "" }: Asked): string {
	return /^bt_[0-9a-z]+$/.test(batchId) ? `pcodes-${batchId}.csv` : "pcodes.csv";
}

function selectionOf(c: Context<AppEnv>, filter: Asked): Omit<ListQuery, "limit" | "offset"> {
	return {
		partnerId: c.get("owner").partnerId,
		now: partnerCaller(c).now,
		...(filter.status && { status: filter.status }),
		...(filter.external_reference_id !== undefined && { reference: filter.external_reference_id }),
		...(filter.product_code && { product: filter.product_code }),
		...(filter.batch_id !== undefined && { batchId: filter.batch_id }),
		...(filter.created_from && { createdFrom: filter.created_from.first }),
		...(filter.created_to && { createdTo: filter.created_to.last }),
	};
}
