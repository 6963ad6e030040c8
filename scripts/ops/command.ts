/** One command of the ops command line: what it takes and which call of `/ops/v1` it makes. */
export interface OpsCommand {
	/** `codes cancel`. */
	name: string;
	summary: string;
	/** Positional arguments, in order. */
	takes: readonly string[];
	options: Record<string, Option>;
	example: string;
	call: (given: Given) => Call;
	/** The answer is a page: the call is repeated with its `next` as `cursor`, and the pages are put together. */
	pages?: true;
	/** Asked before the call, for what cannot be undone. */
	confirm?: (given: Given) => string;
	/** Where in `data` the rows of the table are. */
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

export interface Given {
	/** By the names of `takes` and `options`. */
	[name: string]: string | undefined;
}

export interface Call {
	method: "GET" | "POST" | "PATCH" | "DELETE";
	path: string;
	body?: Record<string, unknown>;
}
