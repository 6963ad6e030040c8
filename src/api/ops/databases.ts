import { z } from "@hono/zod-openapi";
import { bindingOf } from "../../domain/database-names.ts";
import { DATABASE_MAX } from "../../domain/limits.ts";
import { createApi } from "../../http/api.ts";
import { errorAnswer } from "../../http/errors.ts";
import { jsonBody, successBody } from "../../http/responses.ts";
import { opsCaller } from "../../services/caller.ts";
import {
	changeDatabase,
	DATABASE_STATES,
	listDatabases,
	type ShownDatabase,
} from "../../services/databases.ts";
import { mark } from "../../texts/language.ts";
import { OPS_FIELDS } from "../../texts/ops-fields.ts";
import { opsRoute } from "./ops-route.ts";

const database = z
	.strictObject({
		number: z.int(),
		binding: z.string(),
		state: z.enum(DATABASE_STATES).openapi({ description: mark(OPS_FIELDS.databaseState) }),
		bytes: z.int().nullable(),
		limit: z.int(),
		partners: z.int(),
		certificates: z.int().nullable(),
	})
	.openapi("Database");

const EXAMPLE: z.input<typeof database> = {
	number: 2,
	binding: bindingOf(2),
	state: "open",
	bytes: 3_221_225_472,
	limit: DATABASE_MAX,
	partners: 41,
	certificates: 690_211,
};

const list = opsRoute({
	id: "listDatabases",
	tag: "Jobs",
	role: "read",
	method: "get",
	path: "/databases",
	request: {},
	success: {
		status: 200,
		schema: successBody(z.strictObject({ databases: z.array(database) })),
		example: { success: true, data: { databases: [EXAMPLE] } },
	},
	reasons: [],
});

const change = opsRoute({
	id: "changeDatabase",
	tag: "Jobs",
	role: "operate",
	method: "patch",
	path: "/databases/{number}",
	request: {
		params: z.object({
			number: z
				.string()
				.regex(/^[1-9][0-9]?$/, "identifier")
				.transform(Number)
				.openapi({ type: "integer", example: 2 }),
		}),
		...jsonBody(z.strictObject({ state: z.enum(["open", "closed"]) }, "object").openapi("DatabaseChange")),
	},
	success: {
		status: 200,
		schema: successBody(z.strictObject({ database })),
		example: { success: true, data: { database: EXAMPLE } },
	},
	reasons: [],
});

export const opsDatabases = createApi()
	.openapi(list, async (c) => {
		const databases = await listDatabases(c.get("platform"));
		return c.json({ success: true as const, data: { databases: databases.map(present) } }, 200);
	})
	.openapi(change, async (c) => {
		const { state } = c.req.valid("json");
		const changed = await changeDatabase(opsCaller(c), c.req.valid("param").number, state);
		if (!changed) return errorAnswer(c, "not_found");
		return c.json({ success: true as const, data: { database: present(changed) } }, 200);
	});

function present(shown: ShownDatabase) {
	return { ...shown, limit: DATABASE_MAX };
}
