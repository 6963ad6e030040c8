import type { Context, TypedResponse } from "hono";
import type { ConditionalField, Rejection, RejectionReason } from "../domain/rejection.ts";
import { HINTS, type Hint } from "../texts/hints.ts";
import { fill, type Language } from "../texts/language.ts";
import { type ErrorReason, MESSAGES } from "../texts/messages.ts";
import type { AppEnv } from "./app-env.ts";
import {
	BUSINESS_REJECTION,
	ERROR_STATUS,
	type ErrorBody,
	type ErrorCode,
	type ErrorDetail,
	type RuleCode,
} from "./error-codes.ts";

interface WireError {
	error: ErrorCode;
	/** 406 VALIDATION_ERROR: the one entry of `details`. */
	rule?: { code: RuleCode; field?: string };
}

/** What the wire may know of each reason; its message is in `texts/messages.ts`. A reason without a row does not compile. */
export const ERRORS = {
	invalid_request: { error: "VALIDATION_ERROR" },
	conditional_fields: { error: "VALIDATION_ERROR" },
	unauthorized: { error: "UNAUTHORIZED" },
	ops_unauthorized: { error: "UNAUTHORIZED" },
	not_found: { error: "NOT_FOUND" },
	method_not_allowed: { error: "METHOD_NOT_ALLOWED" },
	body_too_large: { error: "PAYLOAD_TOO_LARGE" },
	unsupported_media_type: { error: "UNSUPPORTED_MEDIA_TYPE" },
	rate_limit_exceeded: { error: "RATE_LIMIT_EXCEEDED" },
	cancelled: { error: "LOCKED" },
	blocked: { error: "LOCKED" },
	security_lock: { error: "ATTEMPT_LIMIT_REACHED" },
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
	expiration_date_mismatch: {
		error: "VALIDATION_ERROR",
		rule: { code: "EXPIRATION_DATE_MISMATCH", field: "fechaVencimiento" },
	},
	name_mismatch: { error: "VALIDATION_ERROR", rule: { code: "NAME_MISMATCH", field: "names" } },
	sso_rejected: { error: "VALIDATION_ERROR", rule: { code: "SSO_REJECTED", field: "ssoCredential" } },
	rut_mismatch: { error: "VALIDATION_ERROR", rule: { code: "RUT_MISMATCH", field: "dni" } },
	credentials_mismatch: { error: "VALIDATION_ERROR", rule: { code: "CREDENTIALS_MISMATCH" } },
	already_issued: { error: "ALREADY_ISSUED" },
	validation_in_progress: { error: "VALIDATION_IN_PROGRESS" },
	product_not_enabled: { error: "PRODUCT_NOT_ENABLED" },
	idempotency_in_progress: { error: "IDEMPOTENCY_IN_PROGRESS" },
	idempotency_mismatch: { error: "IDEMPOTENCY_MISMATCH" },
	payload_erased: { error: "VALIDATION_ERROR", rule: { code: "PAYLOAD_ERASED" } },
	registry_unavailable: { error: "REGISTRY_UNAVAILABLE" },
	service_unavailable: { error: "SERVICE_UNAVAILABLE" },
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

/** The answer of a reason. @param values - what its message has in braces. */
export function errorAnswer<Reason extends ErrorReason>(
	c: Context<AppEnv>,
	reason: Reason,
	{ details, values = {} }: { details?: ErrorDetail[]; values?: Record<string, string | number> } = {},
): ErrorAnswer<Reason> {
	const { error, rule }: WireError = ERRORS[reason];
	const message = fill(MESSAGES[reason], values)[c.get("language") ?? "en"];
	const shown = details ?? (rule && [{ ...rule, message }]);
	// Of a 400 the details are left out: an unknown field's name is the caller's text.
	c.set("refusal", { error, ...(rule && { reason: rule.code }) });
	const body: ErrorBody = { success: false, error, message, ...(shown && { details: shown }) };
	return c.json(body, statusOf(reason)) as ErrorAnswer<Reason>;
}

/** Names of the conditional fields on the wire (§4.1). */
const WIRE_FIELD: Record<ConditionalField, string> = {
	names: "names",
	fatherSurname: "fLastname",
	phone: "phone",
	ssoCredential: "ssoCredential",
};

const FIELD_PROBLEM = {
	required: { code: "REQUIRED", hint: "fieldRequired" },
	not_allowed: { code: "NOT_ALLOWED", hint: "fieldNotAllowed" },
} as const satisfies Record<string, { code: ErrorDetail["code"]; hint: Hint }>;

/** The one mapper from a rejection to its answer. */
export function rejectionAnswer<Reason extends RejectionReason>(
	c: Context<AppEnv>,
	rejection: Rejection & { reason: Reason },
): ErrorAnswer<Reason> {
	const retryAfter = retryAfterSeconds(rejection);
	if (retryAfter !== null) c.header("Retry-After", String(retryAfter));
	const details = fieldDetails(rejection, c.get("language"));
	return errorAnswer(c, rejection.reason, details && { details });
}

function fieldDetails(rejection: Rejection, language: Language): ErrorDetail[] | undefined {
	if (rejection.reason !== "conditional_fields") return undefined;
	return rejection.problems.map(({ field, problem }) => {
		const { code, hint } = FIELD_PROBLEM[problem];
		return { field: WIRE_FIELD[field], code, message: HINTS[hint][language] };
	});
}

/** Seconds: a validation takes a few, an upstream that failed rather more. */
const RETRY_SOON = 3;
const RETRY_LATER = 30;

function retryAfterSeconds(rejection: Rejection): number | null {
	switch (rejection.reason) {
		case "security_lock":
			return Math.ceil(rejection.retryAfterMs / 1000);
		case "validation_in_progress":
		case "idempotency_in_progress":
			return RETRY_SOON;
		case "registry_unavailable":
		case "service_unavailable":
			return RETRY_LATER;
		default:
			return null;
	}
}
