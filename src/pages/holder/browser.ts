import type { Call } from "../kit/call.ts";
import { createToken, readCookie, writeCookie } from "../kit/cookie.ts";
import { formTokenOf, isFormOf } from "../kit/form-token.ts";

/* Identifies the calling browser. Its cookie is random and says nothing; D1 knows its keyed hash. */

const NAME = "revocar";
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Identifies the calling browser by its cookie, or gives it one, and makes the token of its page's forms.
 * @returns its keyed hash in D1.
 */
export async function greet(c: Call): Promise<string> {
	const known = readToken(c);
	const token = known ?? createToken();
	if (known === null) writeCookie(c, NAME, token);
	return knownBy(c, token);
}

/** Returns the keyed hash of the form's browser in D1; null when the form is not from a page that it was given. */
export async function recognise(c: Call, csrf: string): Promise<string | null> {
	const token = readToken(c);
	return token !== null && (await isFormOf(c, csrf, [["holder", token]])) ? knownBy(c, token) : null;
}

function readToken(c: Call): string | null {
	const token = readCookie(c, NAME);
	return TOKEN.test(token) ? token : null;
}

async function knownBy(c: Call, token: string): Promise<string> {
	const [tokenHash, csrf] = await Promise.all([
		c.get("platform").index.of("holder-visit", token),
		formTokenOf(c, ["holder", token]),
	]);
	c.set("csrf", csrf);
	return tokenHash;
}
