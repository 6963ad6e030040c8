import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { HINTS, type Hint } from "../texts/hints.ts";
import type { Language } from "../texts/language.ts";
import type { AppEnv } from "./app-env.ts";
import { type ErrorAnswer, type ErrorDetail, errorAnswer, type FieldCode } from "./errors.ts";

/** A router whose routes validate by their schemas and describe themselves. */
export function createApi(): OpenAPIHono<AppEnv> {
	return new OpenAPIHono<AppEnv>({ defaultHook: validationHook });
}

/** The part of a zod issue that the wire may know: where, what kind, and the hint its schema named. */
interface Issue {
	readonly code?: string;
	readonly path: readonly PropertyKey[];
	readonly message: string;
	readonly keys?: readonly string[];
	/** Issues of each schema of a union. */
	readonly errors?: readonly (readonly { readonly code?: string }[])[];
}

interface ValidationResult {
	success: boolean;
	data?: unknown;
	error?: { readonly issues: readonly unknown[] };
}

const FIELD_NAME_SHOWN = 64;
/** Limits the entries of the answer to a body of thousands of unknown fields. */
const DETAILS_MAX = 100;

/** Hook of every route: 400 with one entry per field, each saying what to send instead. Echoes no value. */
function validationHook(result: ValidationResult, c: Context): Response | undefined {
	return result.success ? undefined : refuseInvalid(c, result.error?.issues ?? [], result.data);
}

export function refuseInvalid(c: Context, issues: readonly unknown[], sent: unknown): Response {
	return invalid(
		c as Context<AppEnv>,
		issues.flatMap((issue) => describe(issue as Issue, sent)),
	);
}

/** 400 for a body that is not parsed at all: one entry, of no field. */
export function refuseBody(c: Context<AppEnv>, hint: Hint, code: FieldCode = "INVALID_VALUE"): Response {
	return invalid(c, [{ code, hint }]);
}

/** 400 for a value that only the settings can judge. */
export function invalidField(
	c: Context<AppEnv>,
	field: string,
	hint: Hint,
	code: FieldCode = "INVALID_VALUE",
): ErrorAnswer<"invalid_request"> {
	return invalid(c, [{ field, code, hint }]);
}

interface Finding {
	field?: string;
	code: FieldCode;
	hint: Hint;
}

function invalid(c: Context<AppEnv>, findings: readonly Finding[]): ErrorAnswer<"invalid_request"> {
	return errorAnswer(c, "invalid_request", { details: entries(findings, c.get("language")) });
}

/** The first finding of each field, of the first {@link DETAILS_MAX} fields. */
function entries(findings: readonly Finding[], language: Language): ErrorDetail[] {
	const byField = new Map<string | undefined, ErrorDetail>();
	for (const { field, code, hint } of findings) {
		if (byField.size === DETAILS_MAX) break;
		if (byField.has(field)) continue;
		byField.set(field, { ...(field !== undefined && { field }), code, message: HINTS[hint][language] });
	}
	return [...byField.values()];
}

function describe(issue: Issue, sent: unknown): Finding[] {
	if (issue.code === "unrecognized_keys")
		return (issue.keys ?? []).map((key) => ({
			field: key.slice(0, FIELD_NAME_SHOWN).replaceAll(/[^\x20-\x7e]/g, "?"),
			code: "UNKNOWN_FIELD",
			hint: "unknown",
		}));
	const field = issue.path.map(String).join(".");
	if (field === "")
		return [{ code: "INVALID_TYPE", hint: issue.message in HINTS ? (issue.message as Hint) : "object" }];
	const value = issue.path.reduce<unknown>(
		(part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key],
		sent,
	);
	if (value === undefined) return [{ field, code: "REQUIRED", hint: "missing" }];
	const hint = issue.message in HINTS ? (issue.message as Hint) : "object";
	const code = issue.errors?.[0]?.[0]?.code ?? issue.code;
	return [{ field, code: code === "invalid_type" ? "INVALID_TYPE" : "INVALID_VALUE", hint }];
}
