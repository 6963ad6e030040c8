import type { z } from "@hono/zod-openapi";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { fill, type Text } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";

export type Query = Readonly<Record<string, string | undefined>>;

interface Filters<Asked> {
	/** Filters of the list; none at all where one was not understood. */
	asked: Asked;
	/** Filters as typed, to be shown again. */
	sent: Query;
	/** Names the filters that were not understood. */
	problem: Text | null;
}

/** Reads the filters of a page as the API reads its own. An empty field was not sent. */
export function readFilters<Asked>(
	c: Call,
	schema: z.ZodType<Asked> & { shape: Readonly<Record<string, unknown>> },
): Filters<Asked> {
	const known = Object.entries(c.req.query()).filter(([name, value]) => value !== "" && name in schema.shape);
	const sent = Object.fromEntries(known);
	const read = schema.safeParse(sent);
	if (read.success) return { asked: read.data, sent, problem: null };
	const fields = [...new Set(read.error.issues.map(({ path }) => path.join(".")))].join(", ");
	return { asked: schema.parse({}), sent, problem: fill(T.wrongFilter, { fields }) };
}

/** An address with the non-empty values of a query. */
export function addressOf(path: string, query: Query): string {
	const sent = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
	return sent.length === 0 ? path : `${path}?${new URLSearchParams(sent)}`;
}
