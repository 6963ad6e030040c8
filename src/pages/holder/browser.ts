import type { Call } from "../kit/call.ts";
import { createToken, readToken, writeToken } from "../kit/cookie.ts";
import { formTokenOf, recogniseForm, type SentForm } from "../kit/form-token.ts";
import type { Form } from "../kit/read-form.ts";

/* Identifies the calling browser. Its cookie is a random token and says nothing; D1 knows its keyed hash. */

const NAME = "revocar";

/**
 * Identifies the calling browser by its cookie, or gives it one, and makes the token of its page's forms.
 * @returns its keyed hash in D1; null for a browser that had none of our cookies.
 */
export async function greet(c: Call): Promise<string | null> {
	const known = await readToken(c, NAME);
	const token = known ?? createToken();
	if (known === null) await writeToken(c, NAME, token);
	const tokenHash = await knownBy(c, token);
	return known === null ? null : tokenHash;
}

/** @returns the form and the keyed hash of its browser in D1; null for a form of no page that the browser was given. */
export async function recognise(c: Call, form: Form): Promise<{ sent: SentForm; tokenHash: string } | null> {
	const token = await readToken(c, NAME);
	if (token === null) return null;
	const tokenHash = await knownBy(c, token);
	const sent = await recogniseForm(c, form);
	return sent && { sent, tokenHash };
}

async function knownBy(c: Call, token: string): Promise<string> {
	c.set("shownTo", ["/revocar", token]);
	c.set("csrf", await formTokenOf(c));
	return c.get("platform").index.of("holder-visit", token);
}
