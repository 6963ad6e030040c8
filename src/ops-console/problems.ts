import type { Call } from "../console-parts/call.ts";
import { sayIn } from "../console-parts/language.ts";
import { HINTS, type Hint } from "../texts/hints.ts";

/** What is wrong with a form, by field, in the caller's language. */
export type Problems = Readonly<Record<string, string>>;

export const NO_PROBLEMS: Problems = {};

interface Failed {
	readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/** What a call's own schema says of a form's fields: the first of each. */
export function problemsOf(c: Call, { issues }: Failed): Problems {
	const named = issues.map(({ path, message }) => [String(path[0]), message] as const);
	return Object.fromEntries(named.toReversed().map(([field, hint]) => [field, hintIn(c, hint)]));
}

export function problem(c: Call, field: string, hint: Hint): Problems {
	return { [field]: hintIn(c, hint) };
}

function hintIn(c: Call, hint: string): string {
	return sayIn(c)(HINTS[hint in HINTS ? (hint as Hint) : "missing"]);
}
