import { z } from "@hono/zod-openapi";
import { ERROR_STATUS, type ErrorCode } from "./error-body.ts";

/** §2.6 with our `details`. */
const errorSchema = z
	.strictObject({
		success: z.literal(false),
		error: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
		message: z.string(),
		details: z
			.array(z.strictObject({ field: z.string().optional(), code: z.string(), message: z.string() }))
			.optional()
			.openapi({
				description: "Chosen: one entry per field (400), exactly one for a business rejection (406).",
			}),
	})
	.openapi("Error", {
		example: {
			success: false,
			error: "VALIDATION_ERROR",
			message: "The request is not valid; see details.",
			details: [
				{ field: "pin", code: "INVALID_VALUE", message: "Send the PIN as a string of exactly 4 digits." },
			],
		},
	});

export const dateTime = z.iso.datetime().openapi({ example: "2026-11-21T12:00:00.000Z" });

export interface ErrorAnswer {
	status: number;
	error: ErrorCode;
	/** When it is given, and "chosen" where the document leaves it to us. */
	when: string;
}

/** Answers of every partner call. */
const COMMON: readonly ErrorAnswer[] = [
	{ status: 401, error: "UNAUTHORIZED", when: "API key missing or invalid." },
	{ status: 500, error: "INTERNAL_ERROR", when: "Chosen: a bug; no inner text." },
	{
		status: 503,
		error: "SERVICE_UNAVAILABLE",
		when: "Chosen: nothing changed; retry after Retry-After seconds.",
	},
];

/** Answers of every call with a body. */
export const JSON_ERRORS: readonly ErrorAnswer[] = [
	{ status: 413, error: "PAYLOAD_TOO_LARGE", when: "Chosen: body over the limit." },
	{ status: 415, error: "UNSUPPORTED_MEDIA_TYPE", when: "Chosen: body not declared as application/json." },
];

/** Answers of the three partner calls with a body, which take an Idempotency-Key. */
export const BODY_ERRORS: readonly ErrorAnswer[] = [
	...JSON_ERRORS,
	{
		status: 409,
		error: "IDEMPOTENCY_IN_PROGRESS",
		when: "Chosen: the first call with this Idempotency-Key runs.",
	},
	{
		status: 422,
		error: "IDEMPOTENCY_MISMATCH",
		when: "Chosen: this Idempotency-Key came with another request.",
	},
];

/** The responses of a route for the OpenAPI document: its success, its own errors, and those that all share. */
export function responses(
	success: { status: 200 | 201; description: string; schema: z.ZodType; example: unknown },
	errors: readonly ErrorAnswer[],
) {
	const described: Record<number, object> = {
		[success.status]: {
			description: success.description,
			content: { "application/json": { schema: success.schema, example: success.example } },
		},
	};
	for (const { status, error, when } of [...errors, ...COMMON]) {
		const known = described[status] as { description: string } | undefined;
		described[status] = {
			description: known ? `${known.description} — ${error}: ${when}` : `${error}: ${when}`,
			content: {
				"application/json":
					status === success.status
						? { schema: z.union([success.schema, errorSchema]), example: success.example }
						: { schema: errorSchema, example: { success: false, error, message: when } },
			},
		};
	}
	return described as Record<number, { description: string }>;
}
