import { selectPartner } from "../db/partners.ts";
import { batch } from "../db/query.ts";
import { selectWebhookSecrets } from "../db/webhook-secrets.ts";
import type { Platform } from "../platform.ts";
import { httpStatusOf, labelOf } from "./outcome.ts";
import { postSigned } from "./post-signed.ts";
import { webhookBody } from "./webhook.ts";

/** Like a first attempt. Milliseconds. */
const PING_MS = 5_000;

export interface Ping {
	/** The `webhook-id`. */
	id: string;
	url: string;
	/** As of a delivery: never text from the receiver. */
	outcome: string;
	httpStatus: number | null;
	durationMs: number;
}

/**
 * Posts a signed `ping` to a partner's webhook, be it switched off, and waits for the outcome. Nothing is repeated,
 * recorded or switched. @returns null when there is no webhook.
 */
export async function pingWebhook(platform: Platform, partnerId: string): Promise<Ping | null> {
	const { db, clock } = platform;
	const at = clock();
	const {
		partner: [partner],
		secrets,
	} = await batch(db, {
		partner: selectPartner(db, partnerId),
		secrets: selectWebhookSecrets(db, partnerId, at),
	});
	if (!partner?.webhookUrl) return null;
	const { webhookUrl: url } = partner;
	const id = crypto.randomUUID();
	const body = webhookBody("ping", at, {});
	const start = clock();
	const outcome = await postSigned(platform, { id, url, body, secrets, timeoutMs: PING_MS });
	const durationMs = clock() - start;
	return { id, url, outcome: labelOf(outcome), httpStatus: httpStatusOf(outcome), durationMs };
}
