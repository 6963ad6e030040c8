import { createRoute, type RouteConfig, type z } from "@hono/zod-openapi";
import type { KeyScope } from "../domain/key-scopes.ts";
import { BODY_MAX } from "../domain/limits.ts";
import { mark, type Text } from "../texts/language.ts";
import type { ErrorReason } from "../texts/messages.ts";
import { REFERENCE } from "../texts/reference.ts";
import { requireJson } from "./body.ts";
import { statusOf } from "./errors.ts";
import { dropEmptyParameters } from "./query-fields.ts";
import type { RateLimit } from "./rate-limit.ts";
import { type ResponseFacts, type ResponseHeader, responses, type Success } from "./responses.ts";

type PartnerTag = "Redeem" | "Onboarding" | "Purchase codes" | "Certificates" | "Desk" | "Sandbox";
type Method = "get" | "post" | "put" | "delete";

/** `<operationId>.summary`, `.success` and, where there is more to say, `.description`. */
type CallTexts = Readonly<Record<string, Text>>;

type OperationOf<Key> = Key extends `${infer Id}.success` ? Id : never;

interface PartnerCall<
	Texts extends CallTexts,
	Verb extends Method,
	Path extends string,
	Request extends NonNullable<RouteConfig["request"]>,
	Status extends 200 | 201,
	Schema extends z.ZodType,
	Reason extends ErrorReason,
> {
	/** `operationId`; its texts are in `texts/*reference.ts`. */
	id: OperationOf<keyof Texts>;
	tag: PartnerTag;
	/** Scope that the key needs. A call that only reads is open to `read` and `manage` as well. */
	scope: KeyScope;
	method: Verb;
	path: Path;
	limit: RateLimit;
	/** Bytes. */
	bodyMax?: number;
	/** A call with headers here takes an Idempotency-Key; no call has another header. */
	request: Request;
	success: Success<Status, Schema>;
	/** Reasons that only this call refuses for. */
	reasons: readonly Reason[];
	/** The field that the example of a 400 is about; by default one that no call has. */
	invalid?: ResponseFacts<Reason>["invalid"];
	notes?: Partial<Record<ErrorReason, Text>>;
}

/** Reasons that every partner call has, and those with a body besides. */
const EVERY_CALL = [
	"invalid_request",
	"unauthorized",
	"scope_required",
	"too_many_unknown_keys",
	"rate_limit_exceeded",
	"internal_error",
	"service_unavailable",
] as const;
const WITH_BODY = ["request_timeout", "body_too_large", "unsupported_media_type"] as const;
const IDEMPOTENT = ["idempotency_in_progress", "idempotency_mismatch"] as const;

/**
 * Declares a partner's call. What it needs of a key, and of its body, is checked where it is mounted (`partner-checks.ts`);
 * then come its own rate limit (429), the media type (415) and its fields (400).
 */
export const partnerRoute = routesWith(REFERENCE);

/** Declares calls whose texts come from another table. */
export function routesWith<Texts extends CallTexts>(texts: Texts) {
	return <
		Verb extends Method,
		Path extends string,
		Request extends NonNullable<RouteConfig["request"]>,
		Status extends 200 | 201,
		Schema extends z.ZodType,
		const Reason extends ErrorReason,
	>(
		call: PartnerCall<Texts, Verb, Path, Request, Status, Schema, Reason>,
	) => {
		const { id, scope, method, path, limit, request, bodyMax = BODY_MAX } = call;
		const hasBody = request.body !== undefined;
		const isIdempotent = request.headers !== undefined;
		const description = texts[`${id}.description`];
		return createRoute({
			method,
			path,
			operationId: id,
			tags: [call.tag],
			summary: mark(texts[`${id}.summary`]!),
			...(description && { description: mark(description) }),
			"x-scope": scope,
			...(hasBody && { "x-body-max": bodyMax }),
			middleware: [
				limit.middleware,
				...(hasBody ? [requireJson] : []),
				...(request.query ? [dropEmptyParameters] : []),
			],
			request,
			responses: responses(call.success, {
				success: texts[`${id}.success`]!,
				reasons: [
					...call.reasons,
					...EVERY_CALL,
					...(hasBody ? WITH_BODY : []),
					...(isIdempotent ? IDEMPOTENT : []),
				],
				invalid: call.invalid ?? { field: "page", hint: "unknown" },
				...(call.notes && { notes: call.notes }),
				values: { maximum: bodyMax, quota: limit.quota, scope },
				headers: (status) =>
					headersOf(status, {
						isIdempotent,
						isLimited: isLimited(status, call.reasons),
						isRetried: RETRIED.includes(status) || opensLock(status, call.reasons),
					}),
			}),
		});
	};
}

const RETRIED: readonly number[] = [202, 409, 429, 503];
const BEFORE_THE_LIMIT: readonly number[] = [401, 403, 408, 413];
/** Final answers, which a repeated Idempotency-Key returns again. */
const REPLAYED: readonly number[] = [200, 201, 406];

/** Answers before the limit are not counted, unless the call gives their status for a reason of its own too. */
function isLimited(status: number, reasons: readonly ErrorReason[]): boolean {
	return !BEFORE_THE_LIMIT.includes(status) || reasons.some((reason) => statusOf(reason) === status);
}

/** A 406 that spends the last attempt tells the seconds of the lock. */
function opensLock(status: number, reasons: readonly ErrorReason[]): boolean {
	return (
		status === 406 && reasons.some((reason) => reason === "rut_mismatch" || reason === "credentials_mismatch")
	);
}

function headersOf(
	status: number,
	{ isIdempotent, isLimited, isRetried }: Record<"isIdempotent" | "isLimited" | "isRetried", boolean>,
): ResponseHeader[] {
	return [
		"x-request-id",
		...(isRetried ? (["Retry-After"] as const) : []),
		...(isLimited ? (["RateLimit-Policy", "RateLimit"] as const) : []),
		...(isIdempotent && REPLAYED.includes(status) ? (["Idempotency-Replayed"] as const) : []),
	];
}
