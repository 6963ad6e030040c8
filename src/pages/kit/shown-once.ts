import type { Call } from "./call.ts";
import { readPageCookie, writePageCookie } from "./cookie.ts";
import { findAnswer } from "./first-answer.ts";
import type { SentForm } from "./form-token.ts";

/*
 * The page that a form leads to shows what the form made for five minutes, in the form's own browser alone. A sealed
 * cookie of that page carries the form's seed, from which the page makes the secrets again: none is stored.
 */

/** Values that a form told its page, and the seed of the secrets that it made. */
export interface ShownOnce<Shown> {
	shown: Shown;
	seed: string;
}

interface Marked extends SentForm {
	/** Epoch milliseconds. */
	until: number;
}

/** Lets a page show what a form made. */
export async function markShown(c: Call, to: string, form: Marked): Promise<void> {
	const path = to.replace(/\?.*/, "");
	const { sealer, clock } = c.get("platform");
	const sealed = await sealer.seal(JSON.stringify(form), placeOf(c, path));
	writePageCookie(c, path, sealed, form.until - clock());
}

/** Finds what a form lets this page show. @returns null for a page that no form led to in the last five minutes. */
export async function shownOnce<Shown>(c: Call): Promise<ShownOnce<Shown> | null> {
	const { db, sealer, clock } = c.get("platform");
	const cookie = readPageCookie(c);
	if (cookie === "") return null;
	const text = await sealer.openText(cookie, placeOf(c, c.req.path)).catch(() => null);
	const form: Marked | null = text && JSON.parse(text);
	if (form === null || form.until <= clock()) return null;
	const done = (await findAnswer(db, form))?.done;
	return done ? { shown: done.shown as Shown, seed: form.seed } : null;
}

/** Binds the cookie to the page and its recipient. */
function placeOf(c: Call, path: string) {
	return { table: "shown once", row: path, column: c.get("shownTo").join(" ") };
}
