import { z } from "@hono/zod-openapi";
import { type ErrorAnswer, responses } from "../http/responses.ts";

/** The security scheme of ops calls. */
export const OPS_SECURITY = [{ opsToken: [] }];

export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
	return { body: { required: true as const, content: { "application/json": { schema } } } };
}

/** Ops answers carry one thing by its name; the shapes follow the partner settings and the stored facts. */
export function opsResponses(status: 200 | 201, description: string, more: readonly ErrorAnswer[] = []) {
	const schema = z.strictObject({ success: z.literal(true), data: z.record(z.string(), z.unknown()) });
	return responses({ status, description, schema, example: { success: true, data: {} } }, [
		{ status: 400, error: "VALIDATION_ERROR", when: "A field is missing, unknown or malformed." },
		{ status: 404, error: "NOT_FOUND", when: "No such thing, or no OPS_TOKEN is configured." },
		...more,
	]);
}
