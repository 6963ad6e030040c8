import { createRoute, type RouteConfig, type z } from "@hono/zod-openapi";
import { BODY_MAX } from "../../domain/limits.ts";
import type { OpsRole } from "../../domain/operators.ts";
import { requireJson } from "../../http/body.ts";
import { dropEmptyParameters } from "../../http/query-fields.ts";
import {
	errorResponses,
	type ResponseFacts,
	type ResponseHeader,
	responses,
	type Success,
} from "../../http/responses.ts";
import { mark } from "../../texts/language.ts";
import type { ErrorReason } from "../../texts/messages.ts";
import { OPS_FIELDS } from "../../texts/ops-fields.ts";
import { OPS_REFERENCE } from "../../texts/ops-reference.ts";
import { requireRole } from "./authorize.ts";

type OpsTag = "Partners" | "Codes" | "Deliveries" | "Audit" | "Jobs";

type Method = "get" | "post" | "put" | "patch" | "delete";

type OperationOf<Key> = Key extends `${infer Id}.success` ? Id : never;

interface OpsCall<
	Verb extends Method,
	Path extends string,
	Request extends NonNullable<RouteConfig["request"]>,
	Reason extends ErrorReason,
> {
	/** `operationId`; its texts are in `texts/ops-reference.ts`. */
	id: OperationOf<keyof typeof OPS_REFERENCE>;
	tag: OpsTag;
	/** A caller without it is answered 403. */
	role: OpsRole;
	method: Verb;
	path: Path;
	request: Request;
	/** Reasons that only this call refuses for. */
	reasons: readonly Reason[];
}

/**
 * Declares a call of ops. `router.ts` authenticates every caller; the call names the role that it needs. 400, 401, 403,
 * 404, 500 and 503 have texts common to all calls; 408, 413 and 415 those of calls with a body.
 */
export function opsRoute<
	Verb extends Method,
	Path extends string,
	Request extends NonNullable<RouteConfig["request"]>,
	Status extends 200 | 201,
	Schema extends z.ZodType,
	const Reason extends ErrorReason,
>(call: OpsCall<Verb, Path, Request, Reason> & { success: Success<Status, Schema> }) {
	return createRoute({ ...operationOf(call), responses: responses(call.success, factsOf(call)) });
}

/** Declares a call that answers with a file. */
export function opsFileRoute<
	Verb extends Method,
	Path extends string,
	Request extends NonNullable<RouteConfig["request"]>,
	Content extends Record<string, { schema: z.ZodType }>,
	const Reason extends ErrorReason,
>(call: OpsCall<Verb, Path, Request, Reason> & { content: Content }) {
	const facts = factsOf(call);
	const file = { description: mark(facts.success), content: call.content };
	return createRoute({ ...operationOf(call), responses: { 200: file, ...errorResponses(facts) } });
}

function operationOf<
	Verb extends Method,
	Path extends string,
	Request extends NonNullable<RouteConfig["request"]>,
>({ id, tag, role, method, path, request }: OpsCall<Verb, Path, Request, ErrorReason>) {
	return {
		method,
		path,
		operationId: id,
		tags: [tag],
		summary: mark(OPS_REFERENCE[`${id}.summary`]),
		middleware: [
			requireRole(role),
			...(request.body ? [requireJson] : []),
			...(request.query ? [dropEmptyParameters] : []),
		],
		request,
	};
}

const EVERY_CALL = [
	"invalid_request",
	"ops_unauthorized",
	"role_required",
	"not_found",
	"internal_error",
	"service_unavailable",
] as const;
/** Methods that may bring a body; calls that need none are included because `router.ts` limits it before the call. */
const TAKES_BODY: readonly string[] = ["post", "put", "patch"];
const WITH_BODY = ["request_timeout", "body_too_large"] as const;

function factsOf<Reason extends ErrorReason>({
	id,
	role,
	method,
	request,
	reasons,
}: OpsCall<Method, string, NonNullable<RouteConfig["request"]>, Reason>) {
	return {
		success: OPS_REFERENCE[`${id}.success`],
		reasons: [
			...reasons,
			...EVERY_CALL,
			...(TAKES_BODY.includes(method) ? WITH_BODY : []),
			...(request.body ? (["unsupported_media_type"] as const) : []),
		],
		notes: { not_found: OPS_FIELDS.not_found },
		values: { maximum: BODY_MAX, role },
		headers: headersOf,
	} satisfies ResponseFacts<ErrorReason>;
}

function headersOf(status: number): ResponseHeader[] {
	if (status === 401) return ["x-request-id", "WWW-Authenticate"];
	return status === 503 ? ["x-request-id", "Retry-After"] : ["x-request-id"];
}
