import { findProvedVisit } from "../../db/holder-visits.ts";
import type { FoundCode } from "../../db/schema-holder.ts";
import { HOLDER_PAGE as T } from "../../texts/holder-page.ts";
import type { Call } from "../kit/call.ts";
import type { Done } from "../kit/first-answer.ts";
import { type Form, readForm } from "../kit/read-form.ts";
import { sendOnce } from "../kit/send-once.ts";
import { recognise } from "./browser.ts";
import { messagePage, retryPage } from "./pages.tsx";

/** Accepts a form from a page of this browser; any other gets a page to begin anew. */
export function onForm(answer: (c: Call, form: Form, tokenHash: string) => Promise<Response | Done>) {
	return async (c: Call): Promise<Response> => {
		if (c.get("platform").settings.frozen) return retryPage(c, 503);
		const form = await readForm(c);
		const recognised = form && (await recognise(c, form));
		if (form === null || recognised === null) return messagePage(c, 403, T.problem, T.expired);
		return sendOnce(c, recognised.sent, {
			act: () => answer(c, form, recognised.tokenHash),
			lost: () => messagePage(c, 409, T.problem, T.lost),
		});
	};
}

/** The visit of a holder who has entered the code, with the codes that are its own; null once its time is over. */
export function provedVisit(
	c: Call,
	tokenHash: string,
): Promise<{ id: string; found: readonly FoundCode[] } | null> {
	const { directory, clock } = c.get("platform");
	return findProvedVisit(directory, tokenHash, clock());
}
