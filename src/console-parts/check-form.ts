import type { z } from "@hono/zod-openapi";
import type { Text } from "../texts/language.ts";

/** What is wrong with a form, by field. */
export type Problems = Readonly<Record<string, Text>>;

/** Reads a form by the schema of the API's call. @param wrong - what to say of each field that may be wrong */
export function checkForm<Schema extends z.ZodType>(
	schema: Schema,
	sent: unknown,
	wrong: Problems,
): { ok: true; data: z.output<Schema> } | { ok: false; problems: Problems } {
	const read = schema.safeParse(sent);
	if (read.success) return { ok: true, data: read.data };
	const fields = new Set(read.error.issues.map(({ path: [field = ""] }) => String(field)));
	return { ok: false, problems: Object.fromEntries([...fields].map((field) => [field, wrong[field]!])) };
}

/** The lines of a longer text that are not empty. */
export function linesOf(text: string): string[] {
	return text
		.split(/\s*[\r\n]+\s*/)
		.map((line) => line.trim())
		.filter(Boolean);
}
