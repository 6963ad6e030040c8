import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv } from "./app-env.ts";

export const ERROR_STATUS = {
	ALREADY_ISSUED: 201,
	VALIDATION_IN_PROGRESS: 202,
	VALIDATION_ERROR: 400,
	UNAUTHORIZED: 401,
	PRODUCT_NOT_ENABLED: 403,
	NOT_FOUND: 404,
	METHOD_NOT_ALLOWED: 405,
	IDEMPOTENCY_IN_PROGRESS: 409,
	PAYLOAD_TOO_LARGE: 413,
	UNSUPPORTED_MEDIA_TYPE: 415,
	IDEMPOTENCY_MISMATCH: 422,
	LOCKED: 423,
	ATTEMPT_LIMIT_REACHED: 429,
	RATE_LIMIT_EXCEEDED: 429,
	INTERNAL_ERROR: 500,
	REGISTRY_UNAVAILABLE: 503,
	SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<string, ContentfulStatusCode>;

/** §2.6: a business rule says no; the one status whose details are codes of ours alone. */
export const BUSINESS_REJECTION = 406;

export type ErrorCode = keyof typeof ERROR_STATUS;

export interface ErrorDetail {
	field?: string;
	code: string;
	message: string;
}

/** §2.6, with `details` where one field or rule is to blame. */
export interface ErrorBody {
	success: false;
	error: ErrorCode;
	message: string;
	details?: ErrorDetail[];
}

/** @param status - where the code's usual one does not hold: VALIDATION_ERROR is 400 or 406. */
export function errorAnswer(
	c: Context<AppEnv>,
	{ error, message, details }: Omit<ErrorBody, "success">,
	status: ContentfulStatusCode = ERROR_STATUS[error],
): Response {
	// Of a 400 the details are left out: an unknown field's name is the caller's text.
	const reason = status === BUSINESS_REJECTION ? details?.[0]?.code : undefined;
	c.set("refusal", { error, ...(reason !== undefined && { reason }) });
	const body: ErrorBody = { success: false, error, message, ...(details && { details }) };
	return c.json(body, status);
}
