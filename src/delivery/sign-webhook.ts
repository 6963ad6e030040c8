const encoder = new TextEncoder();

const SECRET_PREFIX = "whsec_";
const SECRET_OCTETS = 32;

/** A new symmetric secret as partners are shown it (Standard Webhooks 1.0, "Signature scheme"). */
export function createWebhookSecret(): string {
	return SECRET_PREFIX + crypto.getRandomValues(new Uint8Array(SECRET_OCTETS)).toBase64();
}

/**
 * The three headers of one attempt (Standard Webhooks 1.0, "Webhook headers").
 * @param attempt - `body` is what will be sent, to the octet; `at` in epoch milliseconds.
 * @param secrets - `whsec_…`, each of which signs.
 */
export async function signWebhook(
	attempt: { id: string; body: string; at: number },
	secrets: readonly string[],
): Promise<Record<string, string>> {
	const timestamp = String(Math.floor(attempt.at / 1000));
	const content = encoder.encode(`${attempt.id}.${timestamp}.${attempt.body}`);
	const signatures = await Promise.all(secrets.map((secret) => sign(secret, content)));
	return {
		"webhook-id": attempt.id,
		"webhook-timestamp": timestamp,
		"webhook-signature": signatures.join(" "),
	};
}

async function sign(secret: string, content: Uint8Array): Promise<string> {
	const octets = Uint8Array.fromBase64(secret.slice(SECRET_PREFIX.length));
	const key = await crypto.subtle.importKey("raw", octets, { name: "HMAC", hash: "SHA-256" }, false, [
		"sign",
	]);
	return `v1,${new Uint8Array(await crypto.subtle.sign("HMAC", key, content)).toBase64()}`;
}
