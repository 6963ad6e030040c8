import { secretPlace, type WebhookSecretRow } from "../db/webhook-secrets.ts";
import type { Platform } from "../platform.ts";
import { judgeOutboundUrl } from "./outbound-url.ts";
import type { Outcome } from "./outcome.ts";
import { sendWebhook } from "./webhook.ts";

/** Posts a body to a partner's endpoint, signed by each of its secrets; nothing goes to an address that must not be reached. */
export async function postSigned(
	{ settings, sealer, clock }: Pick<Platform, "settings" | "sealer" | "clock">,
	post: { id: string; url: string; body: string; secrets: readonly WebhookSecretRow[]; timeoutMs: number },
): Promise<Outcome> {
	const { id, body, timeoutMs } = post;
	const verdict = judgeOutboundUrl(post.url, settings.outbound);
	if (!verdict.ok) return { kind: "parked", label: "address_refused" };
	const secrets = await Promise.all(
		post.secrets.map((secret) => sealer.openText(secret.secretSealed, secretPlace(secret.id))),
	);
	if (secrets.length === 0) return { kind: "parked", label: "no_secret" };
	return sendWebhook({ id, url: verdict.url, body, secrets, at: clock(), timeoutMs });
}
