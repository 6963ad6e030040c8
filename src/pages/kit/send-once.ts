import { freeForm, takeForm } from "../../db/sent-forms.ts";
import { FORM_MS, SHOWN_ONCE_MS } from "../../domain/limits.ts";
import type { Call } from "./call.ts";
import { type Done, type FirstAnswer, keepAnswer, openAnswer } from "./first-answer.ts";
import type { SentForm } from "./form-token.ts";
import { markShown } from "./shown-once.ts";

/*
 * A form is done once. Its first answer is a redirect; the same form sent again, by a reload or a double click, gets that
 * answer and does nothing.
 */

type Act = () => Response | Done | Promise<Response | Done>;

/** Milliseconds between the looks at a form that is being done: 13 s in all. */
const PAUSES = [0, 100, 200, 400, 800, 1_600, 3_200, 6_400];

/**
 * Does a form, or answers it as it was answered first.
 * @param act - a response of it is a refusal: nothing was done, and the form may be sent again
 * @param lost - the page for a form that broke off or still runs
 * @param arrive - what else each of its answers brings
 */
export async function sendOnce(
	c: Call,
	form: SentForm,
	{ act, lost, arrive }: { act: Act; lost: () => Response | Promise<Response>; arrive?: () => Promise<void> },
): Promise<Response> {
	const { directory: db, clock } = c.get("platform");
	c.set("seed", form.seed);
	for (const pause of PAUSES) {
		if (pause > 0) await scheduler.wait(pause);
		const { isFirst, answerCiphertext } = await takeForm(db, { id: form.id, eraseAt: clock() + FORM_MS });
		if (!isFirst && answerCiphertext === null) continue;
		const answered = isFirst ? doForm(c, form, act) : openAnswer(form, answerCiphertext!);
		// A second click ends the first one's connection; what it does goes on.
		c.executionCtx.waitUntil(answered.catch(() => undefined));
		const answer = await answered;
		if (answer instanceof Response) return answer;
		if (answer.done === null) break;
		await arrive?.();
		const { to, shown } = answer.done;
		const until = answer.shownUntil;
		if (shown !== undefined && until > clock()) await markShown(c, to, { shown, seed: form.seed, until });
		return c.redirect(to, 303);
	}
	return lost();
}

async function doForm(c: Call, form: SentForm, act: Act): Promise<Response | FirstAnswer> {
	const { directory: db, clock } = c.get("platform");
	// A note that fails changes nothing of what was done: the form sent again is answered as one that broke off.
	const note = async (noted: Promise<void>) => noted.catch(() => undefined);
	try {
		const done = await act();
		if (done instanceof Response) {
			await note(freeForm(db, form.id));
			return done;
		}
		const answer = { done, shownUntil: clock() + SHOWN_ONCE_MS };
		await note(keepAnswer(db, form, answer));
		return answer;
	} catch (error) {
		await note(keepAnswer(db, form, { done: null, shownUntil: 0 }));
		throw error;
	}
}
