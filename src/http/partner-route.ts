import { createRoute, type RouteConfig, type z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { BODY_MAX } from "../domain/limits.ts";
import { mark, type Text } from "../texts/language.ts";
import type { ErrorReason } from "../texts/messages.ts";
import { REFERENCE } from "../texts/reference.ts";
import type { AppEnv } from "./app-env.ts";
import { authenticate } from "./authenticate.ts";
import { refuseLarge, requireJson, takeBody } from "./body.ts";
import { errorAnswer } from "./errors.ts";
import type { RateLimit } from "./rate-limit.ts";
import { type ResponseFacts, type ResponseHeader, responses, type Success } from "./responses.ts";

type PartnerTag = "Redeem" | "Purchase codes";

type OperationOf<Key> = Key extends `${infer Id}.success` ? Id : never;

interface PartnerCall<
	Path extends string,
	Request extends NonNullable<RouteConfig["request"]>,
	Status extends 200 | 201,
	Schema extends z.ZodType,
	Reason extends ErrorReason,
> {
	/** `operationId`; its texts are in `texts/reference.ts`. */
	id: OperationOf<keyof typeof REFERENCE>;
	tag: PartnerTag;
	/** A POST takes a body and an Idempotency-Key. */
	method: "get" | "post";
	path: Path;
	limit: RateLimit;
	/** Bytes. */
	bodyMax?: number;
	request: Request;
	success: Success<Status, Schema>;
	/** What this call alone is refused for. */
	reasons: readonly Reason[];
	invalid: NonNullable<ResponseFacts<Reason>["invalid"]>;
	notes?: Partial<Record<ErrorReason, Text>>;
}

/** Reasons that every partner call has, and those with a body besides. */
const EVERY_CALL = [
	"invalid_request",
	"unauthorized",
	"too_many_unknown_keys",
	"rate_limit_exceeded",
	"internal_error",
	"service_unavailable",
] as const;
const WITH_BODY = [
	"request_timeout",
	"body_too_large",
	"unsupported_media_type",
	"idempotency_in_progress",
	"idempotency_mismatch",
] as const;

/**
 * A partner's call. The order of checks is the same for each: frozen (503, writes alone), declared size of the body
 * (413), address (429) and key (401), the body itself (413, 408), rate limit (429), media type (415), fields (400).
 */
export function partnerRoute<
	Path extends string,
	Request extends NonNullable<RouteConfig["request"]>,
	Status extends 200 | 201,
	Schema extends z.ZodType,
	const Reason extends ErrorReason,
>(call: PartnerCall<Path, Request, Status, Schema, Reason>) {
	const { id, method, path, limit, request, bodyMax = BODY_MAX } = call;
	const hasBody = method === "post";
	const description = (REFERENCE as Record<string, Text>)[`${id}.description`];
	return createRoute({
		method,
		path,
		operationId: id,
		tags: [call.tag],
		summary: mark(REFERENCE[`${id}.summary`]),
		...(description && { description: mark(description) }),
		middleware: hasBody
			? [
					refuseWhileFrozen,
					refuseLarge(bodyMax),
					authenticate,
					takeBody(bodyMax),
					limit.middleware,
					requireJson,
				]
			: [authenticate, limit.middleware],
		request,
		responses: responses(call.success, {
			success: REFERENCE[`${id}.success`],
			reasons: [...call.reasons, ...EVERY_CALL, ...(hasBody ? WITH_BODY : [])],
			invalid: call.invalid,
			...(call.notes && { notes: call.notes }),
			values: { maximum: bodyMax, quota: limit.quota },
			headers: (status) => headersOf(status, hasBody),
		}),
	});
}

const RETRIED: readonly number[] = [202, 409, 429, 503];
const BEFORE_THE_LIMIT: readonly number[] = [401, 408, 413];
/** Final answers, which a repeated Idempotency-Key returns again. */
const REPLAYED: readonly number[] = [200, 201, 406];

function headersOf(status: number, isIdempotent: boolean): ResponseHeader[] {
	return [
		"x-request-id",
		...(RETRIED.includes(status) ? (["Retry-After"] as const) : []),
		...(BEFORE_THE_LIMIT.includes(status) ? [] : (["RateLimit-Policy", "RateLimit"] as const)),
		...(isIdempotent && REPLAYED.includes(status) ? (["Idempotency-Replayed"] as const) : []),
	];
}

/** Seconds: a restore takes minutes to an hour. */
const FROZEN_RETRY_AFTER = 300;

/** A partner's write while D1 is being restored: 503, before anything of the call is read. */
const refuseWhileFrozen = createMiddleware<AppEnv>(async (c, next) => {
	if (!c.get("platform").settings.frozen) return next();
	c.header("Retry-After", String(FROZEN_RETRY_AFTER));
	return errorAnswer(c, "service_unavailable");
});
