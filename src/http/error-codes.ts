import type { ContentfulStatusCode } from "hono/utils/http-status";

/** `error` of §2.6 and the status it is answered with; VALIDATION_ERROR is {@link BUSINESS_REJECTION} as well. */
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

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Business-rule rejection (§7). `details[].code` is never caller input. */
export const BUSINESS_REJECTION = 406;

/** `details[].code` of a 400: what is wrong with a field. */
export const FIELD_CODES = [
	"REQUIRED",
	"NOT_ALLOWED",
	"INVALID_TYPE",
	"INVALID_VALUE",
	"UNKNOWN_FIELD",
] as const;

/** `details[].code` of a 406: the one rule that says no. */
export const RULE_CODES = [
	"CODE_ALREADY_USED",
	"CODE_EXPIRED",
	"OTHER_VALIDATION_IN_PROGRESS",
	"SERIAL_NUMBER_REQUIRED",
	"EXPIRATION_DATE_REQUIRED",
	"EMAIL_IN_USE",
	"ID_CARD_MISMATCH",
	"EXPIRATION_DATE_MISMATCH",
	"NAME_MISMATCH",
	"SSO_REJECTED",
	"RUT_MISMATCH",
	"CREDENTIALS_MISMATCH",
	"PAYLOAD_ERASED",
] as const;

export type FieldCode = (typeof FIELD_CODES)[number];
export type RuleCode = (typeof RULE_CODES)[number];

export interface ErrorDetail {
	field?: string;
	code: FieldCode | RuleCode;
	message: string;
}

/** §2.6, with `details` where one field or rule is to blame. */
export interface ErrorBody {
	success: false;
	error: ErrorCode;
	message: string;
	details?: ErrorDetail[];
}
