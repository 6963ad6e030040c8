import type { Context } from "hono";
import { invalidField } from "../http/api.ts";
import type { AppEnv } from "../http/app-env.ts";
import { type ErrorAnswer, errorAnswer, type FieldCode } from "../http/errors.ts";
import type { Hint } from "../texts/hints.ts";
import type { ErrorReason } from "../texts/messages.ts";

interface RefusedField {
	field: string;
	hint: Hint;
	code: FieldCode;
}

/** Reasons for which a verb refuses one field's value, and the messages to the caller. */
export const REFUSED_FIELDS = {
	webhook_refused: { field: "webhook_url", hint: "url", code: "INVALID_VALUE" },
	sso_in_reduced_flow: { field: "require_sso", hint: "ssoInReducedFlow", code: "INVALID_VALUE" },
	serial_without_sso: {
		field: "require_serial_with_sso",
		hint: "serialWithoutSso",
		code: "INVALID_VALUE",
	},
	delivery_address_required: {
		field: "delivery_email",
		hint: "deliveryAddress",
		code: "DELIVERY_ADDRESS_REQUIRED",
	},
	move_refused: { field: "to", hint: "move", code: "INVALID_VALUE" },
	copy_too_young: { field: "clear", hint: "copyTooYoung", code: "INVALID_VALUE" },
	expiry_passed: { field: "expires_at", hint: "expiry", code: "INVALID_VALUE" },
	origins_refused: { field: "origins", hint: "origins", code: "INVALID_VALUE" },
} as const satisfies Record<string, RefusedField>;

export type FieldRefusal = keyof typeof REFUSED_FIELDS;

export function isFieldRefusal(reason: string): reason is FieldRefusal {
	return Object.hasOwn(REFUSED_FIELDS, reason);
}

/**
 * Answers a verb's refusal: 400 where one field is wrong, else by the reason. @param field - the field's name in this
 * call, if it differs from {@link REFUSED_FIELDS}
 */
export function answerRefusal<Reason extends ErrorReason | FieldRefusal>(
	c: Context<AppEnv>,
	reason: Reason,
	field?: string,
): ErrorAnswer<Exclude<Reason, FieldRefusal> | "invalid_request"> {
	type Answer = ErrorAnswer<Exclude<Reason, FieldRefusal> | "invalid_request">;
	if (!isFieldRefusal(reason)) return errorAnswer(c, reason as Exclude<Reason, FieldRefusal>) as Answer;
	const { hint, code, ...refused } = REFUSED_FIELDS[reason];
	return invalidField(c, field ?? refused.field, hint, code) as Answer;
}

/** {@link answerRefusal}, with `Retry-After` where the refusal says when to come again. */
export function answerRefused<Reason extends ErrorReason | FieldRefusal>(
	c: Context<AppEnv>,
	{ reason, retryAfterMs }: { reason: Reason; retryAfterMs?: number },
) {
	if (retryAfterMs !== undefined) c.header("Retry-After", String(Math.ceil(retryAfterMs / 1000)));
	return answerRefusal(c, reason);
}
