import { z } from "@hono/zod-openapi";
import type { Hint } from "../texts/hints.ts";
import { mark } from "../texts/language.ts";
import { REFERENCE } from "../texts/reference.ts";
import type { DatabaseCursor } from "../walk-databases.ts";

const HINT: Hint = "cursor";
const CURSOR_MAX = 1_000;

/** Encodes a list's position as base64url of JSON, which the caller sends back unchanged. */
export function writeCursor(cursor: unknown): string | null {
	if (cursor === null) return null;
	return new TextEncoder()
		.encode(JSON.stringify(cursor))
		.toBase64({ alphabet: "base64url", omitPadding: true });
}

/**
 * Cuts rows to a page.
 * @param rows - one more than the page holds where another page follows
 * @param cursorOf - the position after a row
 * @returns `next`: the cursor of the page that follows, null at the end.
 */
export function pageOf<Row>(
	rows: readonly Row[],
	limit: number,
	cursorOf: (last: Row) => unknown,
): { page: Row[]; next: string | null } {
	const page = rows.slice(0, limit);
	return { page, next: writeCursor(rows.length > limit ? cursorOf(page.at(-1)!) : null) };
}

/** A field that reads such a text back, if it holds what {@link schema} says. */
export function cursorField<Cursor>(schema: z.ZodType<Cursor>) {
	return z
		.string(HINT)
		.max(CURSOR_MAX, HINT)
		.transform((text, context): Cursor => {
			const read = schema.safeParse(readJson(text));
			if (read.success) return read.data;
			context.addIssue({ code: "custom", message: HINT });
			return z.NEVER;
		})
		.openapi({ type: "string", description: mark(REFERENCE.cursor) });
}

/** A place in a walk over all databases. */
export function databaseCursor<At>(at: z.ZodType<At>): z.ZodType<DatabaseCursor<At>> {
	return z.strictObject({ database: z.int(), at: at.nullable() });
}

function readJson(text: string): unknown {
	try {
		return JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(text, { alphabet: "base64url" })));
	} catch {
		return undefined;
	}
}
