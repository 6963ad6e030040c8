import type { Child } from "hono/jsx";
import { FOUND_MAX } from "../../db/find.ts";
import { FIND as T } from "../../texts/console-find.ts";
import { fill, type Text } from "../../texts/language.ts";
import type { Call } from "./call.ts";
import { sayIn } from "./language.ts";
import { EmptyState } from "./parts.tsx";
import type { Form } from "./read-form.ts";

/** Value that the page of results is told. */
export interface Sought {
	text: string;
}

/** Characters of a reference, the longest text that can be found. */
const SOUGHT_MAX = 128;

/** The text of a page's search. */
export function soughtIn(form: Form): string {
	return form.text("q").slice(0, SOUGHT_MAX);
}

/** The address of the only thing found; null for none and for several. */
export function oneOf(addresses: readonly string[]): string | null {
	const [one, ...others] = new Set(addresses);
	return one !== undefined && others.length === 0 ? one : null;
}

interface FoundProps<Row> {
	c: Call;
	/** One more than is shown where there are more. */
	rows: readonly Row[] | null;
	/** The way to all of them. */
	whole: Child;
	children: (shown: readonly Row[]) => Child;
}

/** Things of a kind that were found; nothing where there are none. */
export function Found<Row>({ c, rows, whole, children }: FoundProps<Row>) {
	if (!rows || rows.length === 0) return null;
	const say = sayIn(c);
	return (
		<>
			{children(rows.slice(0, FOUND_MAX))}
			{rows.length > FOUND_MAX && (
				<div>
					{say(fill(T.first, { n: FOUND_MAX }))} {whole}
				</div>
			)}
		</>
	);
}

/** Says what can be found, and how. */
export function NothingFound({ c, text, ways }: { c: Call; text: string; ways: Text }) {
	const say = sayIn(c);
	return (
		<EmptyState title={say(text === "" ? T.nothingAsked : fill(T.none, { text }))}>{say(ways)}</EmptyState>
	);
}
