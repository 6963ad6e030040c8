import type { z } from "@hono/zod-openapi";

/** What one caller sees of a record: the fields of its schema, in the schema's order. */
export function view<Schema extends z.ZodObject>(schema: Schema, record: z.input<Schema>): z.input<Schema> {
	const sent: Record<string, unknown> = record;
	return Object.fromEntries(
		Object.keys(schema.shape).map((field) => [field, sent[field]]),
	) as z.input<Schema>;
}
