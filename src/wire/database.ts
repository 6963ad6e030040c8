import { z } from "@hono/zod-openapi";
import { mark } from "../texts/language.ts";
import { OPS_FIELDS } from "../texts/ops-fields.ts";

/** Field of an answer over all databases: those that did not answer. */
export const silentDatabases = z
	.array(z.int())
	.openapi({ description: mark(OPS_FIELDS.silent), example: [] });

/** Number of a database, in a body. */
export function databaseNumber(description: "databaseOf" | "placeOf") {
	return z
		.int("database")
		.min(1, "database")
		.max(32, "database")
		.openapi({ description: mark(OPS_FIELDS[description]), example: 1 });
}
