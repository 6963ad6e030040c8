import type { z } from "@hono/zod-openapi";
import { readChileDay } from "../../domain/dates.ts";
import type { Text } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";
import { labelled, problemsOf } from "../kit/problems.ts";

export type Query = Readonly<Record<string, string | undefined>>;

interface Filters<Asked> {
	/** Filters of the list; none at all where one was not understood. */
	asked: Asked;
	/** Filters as typed, to be shown again. */
	sent: Query;
	/** Names each filter that was not understood, and says what it takes. */
	notice: { kind: "problem"; text: Text } | undefined;
}

/**
 * Reads the filters of a page as the API reads its own, but a date is a day of Chile. An empty field was not sent.
 * @param labels - of the fields that the page has
 */
export function readFilters<Asked>(
	c: Call,
	schema: z.ZodType<Asked> & { shape: Readonly<Record<string, unknown>> },
	labels: Readonly<Record<string, Text>>,
): Filters<Asked> {
	const known = Object.entries(c.req.query()).filter(([name, value]) => value !== "" && name in schema.shape);
	const sent = Object.fromEntries(known);
	const read = schema.safeParse(
		Object.fromEntries(known.map(([name, value]) => [name, asInstant(name, value)])),
	);
	if (read.success) return { asked: read.data, sent, notice: undefined };
	const said = Object.entries(problemsOf(c, read.error))
		.toReversed()
		.map(([field, problem]) => labelled(labels[field]?.[c.get("language")], problem));
	const text = said.join(" ");
	return { asked: schema.parse({}), sent, notice: { kind: "problem", text: { es: text, en: text } } };
}

/** The first moment of a day of Chile, its last for the end of a span; any other text unchanged. */
function asInstant(name: string, value: string): string {
	const day = readChileDay(value);
	if (day === null) return value;
	return new Date(name === "created_to" ? day.last : day.first).toISOString();
}

/** An address with the non-empty values of a query. */
export function addressOf(path: string, query: Query): string {
	const sent = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
	return sent.length === 0 ? path : `${path}?${new URLSearchParams(sent)}`;
}
