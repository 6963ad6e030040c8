import type { Context, TypedResponse } from "hono";
import { accepts } from "hono/accepts";
import type { AppEnv } from "../../../http/app-env.ts";
import { limitBulk, limitCalls, type RateLimit } from "../../../http/rate-limit.ts";
import { describeError } from "../../../telemetry/describe-error.ts";
import { log } from "../../../telemetry/log.ts";
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
 * Items as a file that is made while it is sent, a page in memory at a time. When the db fails on the way the answer
 * breaks off, so that nobody takes a part for the whole.
 * @param name - of the file, in characters that a header takes as they are
 */
export function csvAnswer<Item>(
	c: Context<AppEnv>,
	name: string,
	{ separator, columns, cells }: CsvForm<Item>,
	pages: AsyncGenerator<readonly Item[]>,
): Response & TypedResponse<never, 200, "json"> {
	const encoder = new TextEncoder();
	const requestId = c.get("requestId");
	let hasStarted = false;
	const body = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				if (!hasStarted) {
					hasStarted = true;
					return controller.enqueue(encoder.encode(BYTE_ORDER_MARK + csvRow(columns, separator)));
				}
				try {
					const { value, done } = await pages.next();
					if (done) return controller.close();
					const rowOf = (row: Cells) => columns.map((column) => row[column] ?? null);
					const rows = value.map((item) => csvRow(rowOf(cells(item)), separator));
					controller.enqueue(encoder.encode(rows.join("")));
				} catch (error) {
					log("error", "csv_broken", { request_id: requestId, ...describeError(error) });
					// The platform logs this text unchanged: the error itself may quote a value.
					controller.error(new Error("a file broke off; see csv_broken"));
				}
			},
			cancel: async () => void (await pages.return(undefined)),
		},
		{ highWaterMark: 0 },
	);
	const headers = {
		"Content-Type": "text/csv; charset=utf-8; header=present",
		"Content-Disposition": `attachment; filename="${name}"`,
	};
	// The compiler compares an answer with the JSON that its route describes.
	const answer: Response = c.body(body, 200, headers);
	return answer as Response & TypedResponse<never, 200, "json">;
}
