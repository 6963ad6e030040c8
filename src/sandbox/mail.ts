import { env } from "cloudflare:workers";
import type { Bindings } from "../bindings.ts";
import { clock } from "../clock.ts";
import type { ComposedEmail } from "../delivery/compose-email.ts";

/* Copies of the last e-mails that a local service sent, for `/sandbox/mail`. Only local has a place for them. */

const KEPT = 100;

type Attachment = Omit<ComposedEmail["attachments"][number], "content"> & { base64: string };

/** A sent e-mail as it is kept. */
export interface KeptMail extends Omit<ComposedEmail, "attachments"> {
	id: string;
	/** When it was sent, epoch milliseconds. */
	at: number;
	attachments: Attachment[];
}

function place(): KVNamespace | undefined {
	return (env as unknown as Bindings).SENT_MAIL;
}

export async function keepMail({ attachments, ...message }: ComposedEmail): Promise<void> {
	const kv = place();
	if (!kv) return;
	const at = clock();
	// Keys are listed in their order: the latest first.
	const id = `${String(Number.MAX_SAFE_INTEGER - at)}-${crypto.randomUUID()}`;
	const mail: KeptMail = {
		...message,
		id,
		at,
		attachments: attachments.map(({ content, ...of }) => ({ ...of, base64: content.toBase64() })),
	};
	await kv.put(id, JSON.stringify(mail));
	const { keys } = await kv.list();
	await Promise.all(keys.slice(KEPT).map(({ name }) => kv.delete(name)));
}

/** The last hundred, the latest first; null where none are kept. */
export async function listMail(): Promise<KeptMail[] | null> {
	const kv = place();
	if (!kv) return null;
	const { keys } = await kv.list({ limit: KEPT });
	const mails = await Promise.all(keys.map(({ name }) => kv.get<KeptMail>(name, "json")));
	return mails.filter((mail) => mail !== null);
}

export async function findMail(id: string): Promise<KeptMail | null> {
	return (await place()?.get<KeptMail>(id, "json")) ?? null;
}
