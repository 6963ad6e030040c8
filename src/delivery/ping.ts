import { selectPartner } from "../db/partners.ts";
import { batch, type PartnerDb } from "../db/query.ts";
import { selectWebhookSecrets } from "../db/webhook-secrets.ts";
import { LISTENER_URL } from "../domain/partner-settings.ts";
import type { PostedEvent } from "../domain/webhook-events.ts";
import type { Platform } from "../platform.ts";
import { postToListener } from "./listener.ts";
import { httpStatusOf, labelOf } from "./outcome.ts";
import { postSigned, webhookBody } from "./webhook.ts";

/** Limit in milliseconds, as of a first attempt. */
const PING_MS = 5_000;

export interface Ping {
	/** The `webhook-id`. */
	id: string;
	/** `listen:` stands for a listener in its place. */
	url: string;
	/** Label as in a delivery: never text from the receiver. */
	outcome: string;
	httpStatus: number | null;
	durationMs: number;
}

/**
 * Posts a signed event to a partner's endpoint, even one switched off, and waits for the outcome. Nothing is repeated,
 * recorded or switched. @returns null when there is no endpoint.
 */
export async function pingWebhook(
	{ platform, db, partnerId, now }: { platform: Platform; db: PartnerDb; partnerId: string; now: number },
	event: { type: PostedEvent; data: object } = { type: "ping", data: {} },
): Promise<Ping | null> {
	const { clock } = platform;
	const {
		partner: [partner],
		secrets,
	} = await batch(db, {
		partner: selectPartner(db, partnerId),
		secrets: selectWebhookSecrets(db, partnerId, clock()),
	});
	if (!partner) return null;
	const { webhookUrl: url } = partner;
	const id = crypto.randomUUID();
	const body = webhookBody(event.type, now, event.data);
	const post = { id, body, secrets, timeoutMs: PING_MS };
	const start = clock();
	const heard = await postToListener(platform, partner, post);
	if (heard === null && url === null) return null;
	const outcome = heard ?? (await postSigned(platform, { ...post, url: url! }));
	const durationMs = clock() - start;
	return {
		id,
		url: heard ? LISTENER_URL : url!,
		outcome: labelOf(outcome),
		httpStatus: httpStatusOf(outcome),
		durationMs,
	};
}
