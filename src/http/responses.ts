import { z } from "@hono/zod-openapi";
import { HINTS, type Hint } from "../texts/hints.ts";
import { fill, mark, type Text } from "../texts/language.ts";
import { type ErrorReason, MESSAGES } from "../texts/messages.ts";
import { REFERENCE } from "../texts/reference.ts";
import {
	ERROR_STATUS,
	ERRORS,
	type ErrorCode,
	FIELD_CODES,
	RULE_CODES,
	type StatusOf,
	statusOf,
} from "./errors.ts";

/* The responses of a route: the types of a handler's answers, and the OpenAPI document's description. */

/** §2.6 with our `details`. */
export const errorSchema = z
	.strictObject({
		success: z.literal(false),
		error: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
		message: z.string(),
		details: z
			.array(
				z.strictObject({
					field: z.string().optional(),
					code: z.enum([...FIELD_CODES, ...RULE_CODES]),
					message: z.string(),
				}),
			)
			.optional()
			.openapi({ description: mark(REFERENCE.errorDetails) }),
	})
	.openapi("Error");

export const dateTime = z.iso.datetime().openapi({ example: "2026-11-21T12:00:00.000Z" });

/** `{ success: true, data }`. */
export function successBody<Data extends z.ZodType>(data: Data) {
	return z.strictObject({ success: z.literal(true), data });
}

export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
	return { body: { required: true as const, content: { "application/json": { schema } } } };
}

/** Every answer carries x-request-id; the others are set where a call has them. */
const HEADERS = {
	"x-request-id": REFERENCE.headerRequestId,
	"Retry-After": REFERENCE.headerRetryAfter,
	"RateLimit-Policy": REFERENCE.headerRateLimitPolicy,
	RateLimit: REFERENCE.headerRateLimit,
	"Idempotency-Replayed": REFERENCE.headerIdempotencyReplayed,
	"WWW-Authenticate": REFERENCE.headerWwwAuthenticate,
} as const satisfies Record<string, Text>;

export type ResponseHeader = keyof typeof HEADERS;

/** Entry of a document's `components.headers`. */
export function headerComponent(name: ResponseHeader) {
	const schema =
		name === "Retry-After" ? { type: "integer" as const, minimum: 1 } : { type: "string" as const };
	return { description: mark(HEADERS[name]), required: name === "x-request-id", schema };
}

export interface Success<Status extends 200 | 201, Schema extends z.ZodType> {
	status: Status;
	schema: Schema;
	example: z.input<Schema>;
	/** An example of the data as CSV, for a call that also answers so. */
	csv?: string;
}

export interface ResponseFacts<Reason extends ErrorReason> {
	success: Text;
	/** Every reason for which the call may be refused. */
	reasons: readonly Reason[];
	/** The field that the example of a 400 is about. */
	invalid?: { field: string; hint: Hint };
	/** Describes a reason better than its message does. */
	notes?: Partial<Record<ErrorReason, Text>>;
	/** Values of a message's placeholders in braces. */
	values: Record<string, string | number>;
	/** The headers of an answer with this status. */
	headers: (status: number) => readonly ResponseHeader[];
}

type JsonContent<Schema> = { description: string; content: { "application/json": { schema: Schema } } };
export type Responses<Status extends number, Schema, Reason extends ErrorReason> = Record<
	Status,
	JsonContent<Schema>
> &
	Record<StatusOf<Reason>, JsonContent<typeof errorSchema>>;

export function responses<
	Status extends 200 | 201,
	Schema extends z.ZodType,
	const Reason extends ErrorReason,
>(
	{ status, schema, example, csv }: Success<Status, Schema>,
	facts: ResponseFacts<Reason>,
): Responses<Status, Schema, Reason> {
	const described: Record<number, object> = {
		[status]: {
			description: mark(facts.success),
			headers: headersOf(facts.headers(status)),
			content: {
				"application/json": { schema, example },
				...(csv !== undefined && { "text/csv": { schema: { type: "string" }, example: csv } }),
			},
		},
	};
	return { ...described, ...errorResponses(facts) } as Responses<Status, Schema, Reason>;
}

/** One response for each status, with an example for each reason. */
export function errorResponses<const Reason extends ErrorReason>(
	facts: ResponseFacts<Reason>,
): Record<StatusOf<Reason>, JsonContent<typeof errorSchema>> {
	const described: Record<number, object> = {};
	for (const [status, reasons] of Map.groupBy<number, Reason>(facts.reasons, statusOf)) {
		const examples = reasons.map((reason) => [reason, { value: exampleOf(reason, facts) }]);
		described[status] = {
			description: mark(describeReasons(reasons, facts)),
			headers: headersOf(facts.headers(status)),
			content: { "application/json": { schema: errorSchema, examples: Object.fromEntries(examples) } },
		};
	}
	return described as Record<StatusOf<Reason>, JsonContent<typeof errorSchema>>;
}

function headersOf(names: readonly ResponseHeader[]) {
	return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function describeReasons(
	reasons: readonly ErrorReason[],
	{ notes = {}, values }: ResponseFacts<ErrorReason>,
): Text {
	const lines = reasons.map((reason) => {
		const { error, rule }: { error: string; rule?: { code: string } } = ERRORS[reason];
		const code = rule ? `${error}, ${rule.code}` : error;
		const { en, es } = fill(notes[reason] ?? MESSAGES[reason], values);
		return { en: `${code}: ${en}`, es: `${code}: ${es}` };
	});
	return { en: lines.map(({ en }) => en).join("\n\n"), es: lines.map(({ es }) => es).join("\n\n") };
}

function exampleOf(reason: ErrorReason, { invalid, values }: ResponseFacts<ErrorReason>) {
	const { error, rule }: { error: ErrorCode; rule?: object } = ERRORS[reason];
	const message = mark(fill(MESSAGES[reason], values));
	const answer = { success: false, error, message };
	if (rule) return { ...answer, details: [{ ...rule, message }] };
	if (reason === "conditional_fields")
		return { ...answer, details: [detail("names", "NOT_ALLOWED", "fieldNotAllowed")] };
	if (reason === "invalid_request" && invalid)
		return {
			...answer,
			details: [
				detail(invalid.field, invalid.hint === "unknown" ? "UNKNOWN_FIELD" : "INVALID_VALUE", invalid.hint),
			],
		};
	return answer;
}

function detail(field: string, code: (typeof FIELD_CODES)[number], hint: Hint) {
	return { field, code, message: mark(HINTS[hint]) };
}
