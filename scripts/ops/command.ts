import type { OpsClient } from "../ops-client.ts";

/** One command of the ops command line: what it takes and which ops call it makes. */
export interface OpsCommand {
	/** `codes cancel`. */
	name: string;
	summary: string;
	/** Positional arguments, in order. */
	takes: readonly string[];
	/** Value that is asked for, or read from standard input: it must not be in a shell's history. */
	asks?: string;
	options: Record<string, Option>;
	example: string;
	call: (ops: OpsClient, given: Given, cursor: Cursor) => Promise<OpsAnswer>;
	/** The answer is a page: the call is repeated from its `next`, and the pages are put together. */
	pages?: true;
	/** Asked before the call, for what cannot be undone. */
	confirm?: (given: Given) => string;
	/** Path of the table's rows in `data`. */
	shows: string;
	/** Columns of the table, in order; all fields of one thing when left out. */
	columns?: readonly string[];
	/** Exit code 1 when the answer reports a fault. */
	hasFault?: (data: Record<string, unknown>) => boolean;
}

export interface Option {
	help: string;
	required?: boolean;
}

/** Values by the names of `takes` and `options`: text of the command line, whose values the service validates. */
// biome-ignore lint/suspicious/noExplicitAny: an option is also sent where the OpenAPI document lists its values
export type Given = Record<string, any>;

/** Empty for the first page. */
export type Cursor = { cursor?: string };

/** Answer of the ops client: `data` of a 2xx, `error` of every other status. */
interface OpsAnswer {
	data?: unknown;
	error?: unknown;
	response: Response;
}
