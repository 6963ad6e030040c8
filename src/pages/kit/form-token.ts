import type { Call } from "./call.ts";

/* Token in every form: a keyed hash of the page's recipient, which no other site can know. */

/** Recipient of a page: a browser by its cookie's token, or an operator and the day. */
export type ShownTo = readonly [pages: "console" | "ops" | "holder", ...who: string[]];

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const USE = "form";

export function formTokenOf(c: Call, to: ShownTo): Promise<string> {
	return c.get("platform").index.of(USE, ...to);
}

/** Whether a form is from a page that was shown to one of these. */
export async function isFormOf(c: Call, token: string, shownTo: readonly ShownTo[]): Promise<boolean> {
	if (!TOKEN.test(token)) return false;
	const { index } = c.get("platform");
	return (await Promise.all(shownTo.map((to) => index.matches(token, USE, ...to)))).includes(true);
}
