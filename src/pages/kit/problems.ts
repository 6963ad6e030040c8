import type { z } from "@hono/zod-openapi";
import { FORM_HINTS } from "../../texts/form-hints.ts";
import { HINTS, type Hint } from "../../texts/hints.ts";
import { type FieldRefusal, REFUSED_FIELDS } from "../../wire/refusals.ts";
import type { Call } from "./call.ts";
import { sayIn } from "./language.ts";

/** Problems of a form by field, in the caller's language. */
export type Problems = Readonly<Record<string, string>>;

export const NO_PROBLEMS: Problems = {};

/** Status of the page that shows these. */
export function statusOf(problems: Problems): 200 | 400 {
	return problems === NO_PROBLEMS ? 200 : 400;
}

interface Failed {
	readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/** Reads a form by the schema of the API's call. */
export function checkForm<Schema extends z.ZodType>(
	c: Call,
	schema: Schema,
	sent: unknown,
): { ok: true; data: z.output<Schema> } | { ok: false; problems: Problems } {
	const read = schema.safeParse(sent);
	return read.success ? { ok: true, data: read.data } : { ok: false, problems: problemsOf(c, read.error) };
}

/** Takes the first problem of each field from a call's own schema. */
export function problemsOf(c: Call, { issues }: Failed): Problems {
	const named = issues.map(({ path, message }) => [String(path[0]), message] as const);
	return Object.fromEntries(named.toReversed().map(([field, hint]) => [field, hintIn(c, hint)]));
}

/** Problem of one field's value that a verb refused. @param field - its name in this form, if it differs */
export function refusedField(c: Call, reason: FieldRefusal, field?: string): Problems {
	const { hint, ...refused } = REFUSED_FIELDS[reason];
	return { [field ?? refused.field]: hintIn(c, hint) };
}

/** The hint in the form's words, else in the API's. */
function hintIn(c: Call, name: string): string {
	const hint = name in HINTS ? (name as Hint) : "missing";
	return sayIn(c)(FORM_HINTS[hint] ?? HINTS[hint]);
}

/** A problem as a person reads it: after its field's name. */
export function labelled(label: string | undefined, problem: string): string {
	return label ? `${label}: ${problem}` : problem;
}

/** The lines of a longer text that are not empty. */
export function linesOf(text: string): string[] {
	return text
		.split(/\s*[\r\n]+\s*/)
		.map((line) => line.trim())
		.filter(Boolean);
}
