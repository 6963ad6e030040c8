import type { Context, TypedResponse } from "hono";
import { accepts } from "hono/accepts";
import type { AppEnv } from "../../../http/app-env.ts";
import { limitBulk, limitCalls, type RateLimit } from "../../../http/rate-limit.ts";
import { streamAnswer } from "../../../http/stream-answer.ts";
import { BYTE_ORDER_MARK, csvRow, type Separator } from "./csv.ts";

/** Whether Accept prefers CSV; JSON where it prefers neither. */
export function wantsCsv(c: Context<AppEnv>): boolean {
	const supports = ["application/json", "text/csv"];
	return accepts(c, { header: "Accept", supports, default: "application/json" }) === "text/csv";
}

/** A file reads up to two hundred times what a page reads, and counts with the batches. */
export const limitList: RateLimit = {
	quota: limitCalls.quota,
	middleware: (c, next) => (wantsCsv(c) ? limitBulk : limitCalls).middleware(c, next),
};

type Cells = Readonly<Record<string, string | number | null>>;

/** Shape of a file of items. */
export interface CsvForm<Item> {
	separator: Separator;
	/** Names of the cells, in order. */
	columns: readonly string[];
	cells: (item: Item) => Cells;
}

/**
 * Items as a file, a page in memory at a time.
 * @param name - of the file, in characters that a header takes as they are
 */
export function csvAnswer<Item>(
	c: Context<AppEnv>,
	name: string,
	{ separator, columns, cells }: CsvForm<Item>,
	pages: AsyncGenerator<readonly Item[]>,
): Response & TypedResponse<never, 200, "json"> {
	const rowOf = (row: Cells) =>
		csvRow(
			columns.map((column) => row[column] ?? null),
			separator,
		);
	async function* parts() {
		yield BYTE_ORDER_MARK + csvRow(columns, separator);
		for await (const page of pages) yield page.map((item) => rowOf(cells(item))).join("");
	}
	const headers = {
		"Content-Type": "text/csv; charset=utf-8; header=present",
		"Content-Disposition": `attachment; filename="${name}"`,
	};
	// The compiler compares an answer with the JSON that its route describes.
	return streamAnswer(c, headers, parts()) as Response & TypedResponse<never, 200, "json">;
}
