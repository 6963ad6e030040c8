import type { z } from "@hono/zod-openapi";

/** Picks a record's fields that one caller sees, in the schema's order. */
export function view<Schema extends z.ZodObject>(schema: Schema, record: z.input<Schema>): z.input<Schema> {
	const sent: Record<string, unknown> = record;
	return Object.fromEntries(
		Object.keys(schema.shape).map((field) => [field, sent[field]]),
	) as z.input<Schema>;
}
