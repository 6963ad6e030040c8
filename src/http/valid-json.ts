import type { z } from "@hono/zod-openapi";
import { validator } from "hono/validator";
import { refuseInvalid } from "./api.ts";

/** Reads the body of a call that is in no OpenAPI document: 400 as everywhere. */
export function validJson<Schema extends z.ZodType>(schema: Schema) {
	return validator("json", (sent: unknown, c): z.output<Schema> | Response => {
		const read = schema.safeParse(sent);
		return read.success ? read.data : refuseInvalid(c, read.error.issues, sent);
	});
}
