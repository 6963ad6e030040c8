import { secretPlace, type WebhookSecretRow } from "../db/webhook-secrets.ts";
import type { Platform } from "../platform.ts";
import { judgeOutboundUrl } from "./outbound-url.ts";
import type { Outcome } from "./outcome.ts";
import { sendWebhook } from "./webhook.ts";

export interface SignedPost {
	/** The `webhook-id`. */
	id: string;
	body: string;
	/** Secrets, each of which signs. */
	secrets: readonly WebhookSecretRow[];
	timeoutMs: number;
}

/** Posts a body to a partner's endpoint, signed by each of its secrets; nothing goes to an address that must not be reached. */
export async function postSigned(
	platform: Pick<Platform, "settings" | "sealer" | "clock">,
	post: SignedPost & { url: string },
): Promise<Outcome> {
	const { id, body, timeoutMs } = post;
	const verdict = judgeOutboundUrl(post.url, platform.settings.outbound);
	if (!verdict.ok) return { kind: "parked", label: "address_refused" };
	const secrets = await openSecrets(platform, post.secrets);
	if (secrets.length === 0) return { kind: "parked", label: "no_secret" };
	return sendWebhook({ id, url: verdict.url, body, secrets, at: platform.clock(), timeoutMs });
}

export function openSecrets(
	{ sealer }: Pick<Platform, "sealer">,
	secrets: readonly WebhookSecretRow[],
): Promise<string[]> {
	return Promise.all(secrets.map((secret) => sealer.openText(secret.secretSealed, secretPlace(secret.id))));
}
