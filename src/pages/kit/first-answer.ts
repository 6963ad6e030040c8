import type { DirectoryDb } from "../../db/query.ts";
import { keepFirstAnswer } from "../../db/sent-forms.ts";
import { openForCaller, sealForCaller } from "../../secrets/sealing.ts";
import type { SentForm } from "./form-token.ts";

/* The first answer to a form, kept in D1 under a key that only the form itself yields. */

/** A form was done: the page that it leads to, and what that page shows once, as JSON of 2,000 characters without secrets. */
export interface Done {
	to: string;
	shown?: unknown;
}

export interface FirstAnswer {
	/** Null: the form broke off, and nobody knows whether it was done. */
	done: Done | null;
	/** End of the time in which it is shown, epoch milliseconds. */
	shownUntil: number;
}

export async function keepAnswer(db: DirectoryDb, form: SentForm, answer: FirstAnswer): Promise<void> {
	await keepFirstAnswer(db, form.id, await sealForCaller(keyOf(form), answer, form.id));
}

export async function openAnswer(form: SentForm, sealed: Uint8Array): Promise<FirstAnswer> {
	return (await openForCaller(keyOf(form), sealed, form.id)) as FirstAnswer;
}

function keyOf({ seed }: SentForm): Uint8Array {
	return Uint8Array.fromBase64(seed, { alphabet: "base64url" });
}
