import { z } from "@hono/zod-openapi";
import type { Hint } from "../texts/hints.ts";
import { mark } from "../texts/language.ts";
import { REFERENCE } from "../texts/reference.ts";

/*
 * Fields that several calls share, in their wire form. A schema's error is the name of its hint; its output is
 * canonical.
 */

/** No control, line-breaking or unpaired characters. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}\p{Co}\u2028\u2029\ufeff]*$/u;

export function printable(maximum: number, hint: Hint) {
	const schema = z.string(hint).min(1, hint).max(maximum, hint).regex(PRINTABLE, hint).regex(/\S/u, hint);
	return schema.openapi({ pattern: PRINTABLE.source });
}

const EMPTY = z.literal("").transform(() => undefined);
const CLEARED = z.literal("").transform(() => null);
const NULL = z.null().transform(() => undefined);

/** An optional field of a partner's call: `null` and `""` count as not sent; its schema judges any other value. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
	return z.union([schema, EMPTY, NULL], { error: (issue) => ofSchema(issue as UnionIssue) }).optional();
}

/** A field of the widget's frame: absent means unchanged; `null` and `""` clear it. */
export function clearable<Schema extends z.ZodType>(schema: Schema) {
	return z.union([schema, CLEARED, z.null()], { error: (issue) => ofSchema(issue as UnionIssue) }).optional();
}

interface UnionIssue {
	readonly errors?: readonly (readonly { message: string }[])[];
}

function ofSchema({ errors }: UnionIssue): string | undefined {
	return errors?.[0]?.[0]?.message;
}

/** Path parameter: the call judges its form and answers 404 for one that no code can have. */
export const codePath = z.object({
	p_code: z.string().openapi({ example: "7K3M-9QXT-2B4C-H8WD" }),
});

/** Any text: one that cannot be a code is answered like one that does not exist. */
export const purchaseCode = z
	.string("code")
	.min(1, "code")
	.openapi({
		description: mark(REFERENCE.purchaseCode),
		example: "7K3M-9QXT-2B4C-H8WD",
	});
