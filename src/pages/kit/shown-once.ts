import type { Call } from "./call.ts";
import { readPageCookie, writePageCookie } from "./cookie.ts";

/*
 * The page that a form leads to shows what the form made for five minutes, in the form's own browser alone. A sealed
 * cookie of that page carries the form's seed, from which the page makes the secrets again: none is stored.
 */

/** Values that a form told its page, and the seed of the secrets that it made. */
export interface ShownOnce<Shown> {
	shown: Shown;
	seed: string;
}

interface Marked extends ShownOnce<unknown> {
	/** Epoch milliseconds. */
	until: number;
}

/** Lets a page show what a form made. */
export async function markShown(c: Call, to: string, marked: Marked): Promise<void> {
	const path = to.replace(/\?.*/, "");
	const { sealer, clock } = c.get("platform");
	const sealed = await sealer.seal(JSON.stringify(marked), placeOf(c, path));
	writePageCookie(c, path, sealed, marked.until - clock());
}

/** Finds what a form lets this page show. @returns null for a page that no form led to in the last five minutes. */
export async function shownOnce<Shown>(c: Call): Promise<ShownOnce<Shown> | null> {
	const { sealer, clock } = c.get("platform");
	const cookie = readPageCookie(c);
	if (cookie === "") return null;
	const text = await sealer.openText(cookie, placeOf(c, c.req.path)).catch(() => null);
	const marked: Marked | null = text && JSON.parse(text);
	return marked && marked.until > clock() ? { shown: marked.shown as Shown, seed: marked.seed } : null;
}

const SHOWN_MAX = 2_000;

/** The first rows, as many as fit in a cookie, which holds 4 KiB. */
export function fitting<Row>(rows: readonly Row[]): Row[] {
	let left = SHOWN_MAX;
	return rows.filter((row) => {
		left -= JSON.stringify(row).length;
		return left >= 0;
	});
}

/** Binds the cookie to the page and its recipient. */
function placeOf(c: Call, path: string) {
	return { table: "shown once", row: path, column: c.get("shownTo").join(" ") };
}
