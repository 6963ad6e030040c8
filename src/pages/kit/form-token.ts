import { FORM_MS } from "../../domain/limits.ts";
import type { Call } from "./call.ts";
import { createToken } from "./cookie.ts";
import type { Form } from "./read-form.ts";

/*
 * Token in every form: the time and a random id of its page, and a keyed hash of both and of the page's recipient, which
 * no other site can know.
 */

/** A form of a page that was shown to whoever sent it. */
export interface SentForm {
	/** Keyed hash of recipient, page, address and values: sent again it is the same, filled in otherwise another. */
	id: string;
	/** Another keyed hash of them, which nobody can make from what is stored; secrets that the form makes follow from it. */
	seed: string;
}

const TOKEN = /^(([0-9]{1,15})\.[A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;
const USE = "form";

/** The token of the forms of a page, by its recipient. */
export async function formTokenOf(c: Call): Promise<string> {
	const { index, clock } = c.get("platform");
	const page = `${clock()}.${createToken()}`;
	return `${page}.${await index.of(USE, page, ...c.get("shownTo"))}`;
}

/** @returns null for a form of no page that was shown to this recipient within a day. */
export async function recogniseForm(c: Call, form: Form): Promise<SentForm | null> {
	const { index, clock } = c.get("platform");
	const [, page = "", at = "", mac = ""] = TOKEN.exec(form.text("csrf")) ?? [];
	const shownTo = c.get("shownTo");
	if (mac === "" || Number(at) + FORM_MS <= clock() || !(await index.matches(mac, USE, page, ...shownTo)))
		return null;
	const said = [...shownTo, c.req.path, await form.content()];
	const [id, seed] = await Promise.all([index.of("sent-form", ...said), index.of("form-seed", ...said)]);
	return { id, seed };
}
