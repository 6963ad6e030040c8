import type { Ledger } from "./ledger.ts";

/* Expected shape of an answer. A value that the service chooses is named, so that it must stay the same value. */

export interface Expected {
	/** `request 406 RUT_MISMATCH`: the row of the decisions' tables that it is. */
	outcome: string;
	/** 0: no answer yet, the call is held. */
	status: number;
	body: Shape;
	headers: Record<string, Shape>;
	/** Answers with the same name are the same, byte for byte. */
	bytes?: string;
	/** Attempts that the reported failure has left. */
	after?: AttemptsLeft;
	/** PIN and holder of the PFX that the answer bears for the first time. */
	opensWith?: { pin: string; rut: string };
}

/** Attempts until the next lock, its end, and what is closed for good. */
export interface AttemptsLeft {
	left: number;
	lockedUntil: number | null;
	closed: "code" | "request" | "download" | null;
}

export interface Outcome {
	ledger: Ledger;
	expected: Expected;
}

export type Shape = Exact | Special | readonly Shape[] | { readonly [field: string]: Shape };
type Exact = string | number | boolean | null | undefined;

export type Special =
	/** Value of the service that the model calls by `name`: equal wherever it shows, different from all others. */
	| { readonly $: "made"; what: Made; name: string }
	/** Values made in one go, in any order; names go to the values in ascending order. */
	| { readonly $: "made all"; what: Made; names: readonly string[] }
	/** Any string but the empty one. */
	| { readonly $: "text" }
	/** Text or nothing. */
	| { readonly $: "optional text" }
	/** These, in any order. */
	| { readonly $: "set"; of: readonly Shape[] }
	/** An object with these fields and maybe others. */
	| { readonly $: "with"; fields: { readonly [field: string]: Shape } }
	/** A whole number from 0 on. */
	| { readonly $: "count" }
	/** One of these. */
	| { readonly $: "one of"; of: readonly Shape[] }
	/** A text that has this in it. */
	| { readonly $: "containing"; text: string };

export type Made = "partner" | "key" | "batch" | "code" | "serial" | "pfx" | "session" | "token";

const TEXT: Shape = { $: "text" };
export const COUNT: Shape = { $: "count" };

export function made(what: Made, name: string): Shape {
	return { $: "made", what, name };
}

export function time(at: number | null): string | null {
	return at === null ? null : new Date(at).toISOString();
}

export function success(kind: string, status: number, data: Shape): Expected {
	return { outcome: `${kind} ${status}`, status, body: { success: true, data }, headers: {} };
}

/** Decisions, "Errors". */
const STATUS = {
	ALREADY_ISSUED: 201,
	VALIDATION_IN_PROGRESS: 202,
	VALIDATION_ERROR: 400,
	UNAUTHORIZED: 401,
	PRODUCT_NOT_ENABLED: 403,
	CODE_QUOTA_EXCEEDED: 403,
	NOT_FOUND: 404,
	IDEMPOTENCY_IN_PROGRESS: 409,
	IDEMPOTENCY_MISMATCH: 422,
	LOCKED: 423,
	ATTEMPT_LIMIT_REACHED: 429,
	RATE_LIMIT_EXCEEDED: 429,
	REGISTRY_UNAVAILABLE: 503,
	SERVICE_UNAVAILABLE: 503,
} as const;

type ErrorCode = keyof typeof STATUS;

export function error(kind: string, code: ErrorCode, headers: Record<string, Shape> = {}): Expected {
	const status = STATUS[code];
	const body = { success: false, error: code, message: TEXT };
	return { outcome: `${kind} ${status} ${code}`, status, body, headers };
}

/** 503, and nothing has changed. @param why - as the outcome is called. */
export function unavailable(kind: string, why: string): Expected {
	return { ...error(kind, "SERVICE_UNAVAILABLE", { "Retry-After": TEXT }), outcome: `${kind} 503 ${why}` };
}

/** No call of HTTP: it has no answer. */
export function unanswered(outcome: string): Expected {
	return { outcome, status: 0, body: null, headers: {} };
}

/** 400: one entry of `details` per field; the documents name the fields, not the codes. */
export function badShape(kind: string, fields: readonly string[]): Expected {
	const of = fields.map((field) => ({ field, code: TEXT, message: TEXT }));
	return withDetails(error(kind, "VALIDATION_ERROR"), { $: "set", of });
}

/** 406: exactly one entry of `details`, with this code. */
export function businessRejection(kind: string, code: string): Expected {
	const { headers, body } = error(kind, "VALIDATION_ERROR");
	const expected = { outcome: `${kind} 406 ${code}`, status: 406, body, headers };
	return withDetails(expected, [{ field: { $: "optional text" }, code, message: TEXT }]);
}

/** 406 of a spent attempt, which says what is left; one that opened a lock also when to try again. */
export function failure(
	kind: string,
	code: string,
	after: AttemptsLeft,
	now: number,
	blamed: { readonly field?: Shape } = { field: { $: "optional text" } },
): Expected {
	const { body, ...expected } = businessRejection(kind, code);
	const message: Shape = { $: "containing", text: sentence(after) };
	const details = [{ ...blamed, code, message }] as Shape;
	const retryAfter = after.lockedUntil === null ? undefined : String((after.lockedUntil - now) / 1000);
	const headers = { "Retry-After": retryAfter };
	return { ...expected, headers, after, body: { ...(body as object), message, details } };
}

function sentence({ left, lockedUntil, closed }: AttemptsLeft): string {
	if (closed === "code") return " now permanently blocked.";
	if (closed === "request") return " certificate_request is now closed for good ";
	if (closed === "download") return " cannot be downloaded here any more.";
	if (lockedUntil === null) return left === 1 ? " 1 attempt is left." : ` ${left} attempts are left.`;
	const minute = 60_000;
	const inChile = (form: Intl.DateTimeFormatOptions) =>
		new Intl.DateTimeFormat("en-GB", { timeZone: "America/Santiago", ...form }).format(
			Math.ceil(lockedUntil / minute) * minute,
		);
	return ` locked until ${inChile({ dateStyle: "long" })}, ${inChile({ timeStyle: "short" })} (Chile time).`;
}

function withDetails(expected: Expected, details: Shape): Expected {
	return { ...expected, body: { ...(expected.body as object), details } };
}
