import type { Context, TypedResponse } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { fill, type Text } from "../texts/language.ts";
import { type ErrorReason, MESSAGES } from "../texts/messages.ts";
import type { AppEnv } from "./app-env.ts";

/** `error` of §2.6 and the status it is answered with; VALIDATION_ERROR is {@link BUSINESS_REJECTION} as well. */
export const ERROR_STATUS = {
	ALREADY_ISSUED: 201,
	VALIDATION_IN_PROGRESS: 202,
	VALIDATION_ERROR: 400,
	UNAUTHORIZED: 401,
	HTTPS_REQUIRED: 403,
	PRODUCT_NOT_ENABLED: 403,
	CODE_QUOTA_EXCEEDED: 403,
	ROLE_REQUIRED: 403,
	SCOPE_REQUIRED: 403,
	NOT_FOUND: 404,
	METHOD_NOT_ALLOWED: 405,
	REQUEST_TIMEOUT: 408,
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
const BUSINESS_REJECTION = 406;

/** `details[].code` of a 400: the fault of a field. */
export const FIELD_CODES = [
	"REQUIRED",
	"NOT_ALLOWED",
	"INVALID_TYPE",
	"INVALID_VALUE",
	"UNKNOWN_FIELD",
	"INVALID_ENCODING",
	"DELIVERY_ADDRESS_REQUIRED",
] as const;

/** `details[].code` of a 406: the one rule that refuses. */
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
	"RENEWAL_MISMATCH",
	"CREDENTIALS_MISMATCH",
	"PAYLOAD_ERASED",
	"WEBHOOK_MISSING",
	"TOO_MANY_KEYS",
	"WIDER_KEY",
	"LAST_MANAGE_KEY",
] as const;

export type FieldCode = (typeof FIELD_CODES)[number];
type RuleCode = (typeof RULE_CODES)[number];

export interface ErrorDetail {
	field?: string;
	code: FieldCode | RuleCode;
	message: string;
}

/** Detail of a 401 to the widget's frame, whose calls are in no OpenAPI document: why the session ended. */
export interface SessionDetail {
	/** Made by `codeOfEnd`. */
	code: string;
	message: string;
}

/** §2.6, with `details` where one field or rule is to blame. */
interface ErrorBody {
	success: false;
	error: ErrorCode;
	message: string;
	details?: ErrorDetail[];
}

interface WireError {
	error: ErrorCode;
	/** 406 VALIDATION_ERROR: the one entry of `details`. */
	rule?: { code: RuleCode; field?: string };
}

/** Wire form of each reason; its message is in `texts/messages.ts`. A reason without a row does not compile. */
export const ERRORS = {
	invalid_request: { error: "VALIDATION_ERROR" },
	conditional_fields: { error: "VALIDATION_ERROR" },
	unauthorized: { error: "UNAUTHORIZED" },
	session_unauthorized: { error: "UNAUTHORIZED" },
	session_ended: { error: "UNAUTHORIZED" },
	ops_unauthorized: { error: "UNAUTHORIZED" },
	role_required: { error: "ROLE_REQUIRED" },
	scope_required: { error: "SCOPE_REQUIRED" },
	https_required: { error: "HTTPS_REQUIRED" },
	delivery_address_missing: { error: "SERVICE_UNAVAILABLE" },
	not_found: { error: "NOT_FOUND" },
	method_not_allowed: { error: "METHOD_NOT_ALLOWED" },
	request_timeout: { error: "REQUEST_TIMEOUT" },
	body_too_large: { error: "PAYLOAD_TOO_LARGE" },
	unsupported_media_type: { error: "UNSUPPORTED_MEDIA_TYPE" },
	rate_limit_exceeded: { error: "RATE_LIMIT_EXCEEDED" },
	too_many_key_changes: { error: "RATE_LIMIT_EXCEEDED" },
	too_many_delivery_emails: { error: "RATE_LIMIT_EXCEEDED" },
	too_many_unknown_keys: { error: "RATE_LIMIT_EXCEEDED" },
	too_many_frame_calls: { error: "RATE_LIMIT_EXCEEDED" },
	cancelled: { error: "LOCKED" },
	blocked: { error: "LOCKED" },
	request_blocked: { error: "LOCKED" },
	holder_erased: { error: "LOCKED" },
	security_lock: { error: "ATTEMPT_LIMIT_REACHED" },
	rut_locked: { error: "ATTEMPT_LIMIT_REACHED" },
	code_already_used: { error: "VALIDATION_ERROR", rule: { code: "CODE_ALREADY_USED", field: "pCode" } },
	code_expired: { error: "VALIDATION_ERROR", rule: { code: "CODE_EXPIRED", field: "pCode" } },
	other_validation_in_progress: {
		error: "VALIDATION_ERROR",
		rule: { code: "OTHER_VALIDATION_IN_PROGRESS" },
	},
	serial_number_required: {
		error: "VALIDATION_ERROR",
		rule: { code: "SERIAL_NUMBER_REQUIRED", field: "serialNumber" },
	},
	expiration_date_required: {
		error: "VALIDATION_ERROR",
		rule: { code: "EXPIRATION_DATE_REQUIRED", field: "fechaVencimiento" },
	},
	email_in_use: { error: "VALIDATION_ERROR", rule: { code: "EMAIL_IN_USE", field: "email" } },
	id_card_mismatch: { error: "VALIDATION_ERROR", rule: { code: "ID_CARD_MISMATCH", field: "serialNumber" } },
	no_card_in_force: { error: "VALIDATION_ERROR", rule: { code: "ID_CARD_MISMATCH" } },
	expiration_date_mismatch: {
		error: "VALIDATION_ERROR",
		rule: { code: "EXPIRATION_DATE_MISMATCH", field: "fechaVencimiento" },
	},
	name_mismatch: { error: "VALIDATION_ERROR", rule: { code: "NAME_MISMATCH", field: "names" } },
	sso_rejected: { error: "VALIDATION_ERROR", rule: { code: "SSO_REJECTED", field: "ssoCredential" } },
	rut_mismatch: { error: "VALIDATION_ERROR", rule: { code: "RUT_MISMATCH", field: "dni" } },
	renewal_mismatch: { error: "VALIDATION_ERROR", rule: { code: "RENEWAL_MISMATCH", field: "renews" } },
	credentials_mismatch: { error: "VALIDATION_ERROR", rule: { code: "CREDENTIALS_MISMATCH" } },
	already_issued: { error: "ALREADY_ISSUED" },
	validation_in_progress: { error: "VALIDATION_IN_PROGRESS" },
	product_not_enabled: { error: "PRODUCT_NOT_ENABLED" },
	code_quota_exceeded: { error: "CODE_QUOTA_EXCEEDED" },
	idempotency_in_progress: { error: "IDEMPOTENCY_IN_PROGRESS" },
	idempotency_mismatch: { error: "IDEMPOTENCY_MISMATCH" },
	payload_erased: { error: "VALIDATION_ERROR", rule: { code: "PAYLOAD_ERASED" } },
	webhook_missing: { error: "VALIDATION_ERROR", rule: { code: "WEBHOOK_MISSING" } },
	too_many_keys: { error: "VALIDATION_ERROR", rule: { code: "TOO_MANY_KEYS" } },
	wider_key: { error: "VALIDATION_ERROR", rule: { code: "WIDER_KEY" } },
	last_manage_key: { error: "VALIDATION_ERROR", rule: { code: "LAST_MANAGE_KEY" } },
	registry_unavailable: { error: "REGISTRY_UNAVAILABLE" },
	single_sign_on_unavailable: { error: "SERVICE_UNAVAILABLE" },
	service_unavailable: { error: "SERVICE_UNAVAILABLE" },
	outcome_unknown: { error: "SERVICE_UNAVAILABLE" },
	setting_invalid: { error: "SERVICE_UNAVAILABLE" },
	database_unavailable: { error: "SERVICE_UNAVAILABLE" },
	internal_error: { error: "INTERNAL_ERROR" },
} as const satisfies Record<ErrorReason, WireError>;

/** The status of a reason, for the compiler. */
export type StatusOf<Reason extends ErrorReason> = Reason extends ErrorReason
	? (typeof ERRORS)[Reason] extends { rule: object }
		? typeof BUSINESS_REJECTION
		: (typeof ERROR_STATUS)[(typeof ERRORS)[Reason]["error"]]
	: never;

export type ErrorAnswer<Reason extends ErrorReason> = Response &
	TypedResponse<ErrorBody, StatusOf<Reason>, "json">;

export function statusOf(reason: ErrorReason): StatusOf<ErrorReason> {
	const { error, rule }: WireError = ERRORS[reason];
	return rule ? BUSINESS_REJECTION : ERROR_STATUS[error];
}

interface ErrorFacts {
	details?: (ErrorDetail | SessionDetail)[];
	/** For the message's braces. */
	values?: Record<string, string | number>;
	/** A sentence after the message. */
	more?: Text | null;
}

/** Builds the answer of a reason. */
export function errorAnswer<Reason extends ErrorReason>(
	c: Context<AppEnv>,
	reason: Reason,
	{ details, values = {}, more }: ErrorFacts = {},
): ErrorAnswer<Reason> {
	const { error, rule }: WireError = ERRORS[reason];
	const texts = [fill(MESSAGES[reason], values), ...(more ? [more] : [])];
	const message = texts.map((text) => text[c.get("language") ?? "en"]).join(" ");
	const shown = details ?? (rule && [{ ...rule, message }]);
	// The details of a 400 are not logged: an unknown field's name is the caller's text.
	c.set("refusal", { error, ...(rule && { reason: rule.code }) });
	const body: ErrorBody = {
		success: false,
		error,
		message,
		...(shown && { details: shown as ErrorDetail[] }),
	};
	return c.json(body, statusOf(reason)) as ErrorAnswer<Reason>;
}
