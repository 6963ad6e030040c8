import type { webhooks } from "./openapi.ts";

/** An event as we post it; `type` says which, and with it what `data` is. Ignore a type that you do not know. */
export type WebhookEvent = {
	[Name in keyof webhooks]: webhooks[Name]["post"]["requestBody"]["content"]["application/json"];
}[keyof webhooks];

export interface ReceivedWebhook {
	/** Body as it arrived: not parsed and written again. */
	body: string | Uint8Array;
	/** `request.headers` of fetch, or those of Node and Express. */
	headers: Headers | Record<string, string | readonly string[] | undefined>;
	/** `whsec_…`; several while one replaces another. */
	secret: string | readonly string[];
	/** Epoch milliseconds; the clock's without it. */
	now?: number;
}

/** Thrown for a webhook that is not ours, or too old to be new: answer 400. */
export class WebhookError extends Error {
	override name = "WebhookError";
}

const TOLERANCE_S = 300;

/**
 * Verifies a webhook after Standard Webhooks 1.0, in constant time. The same `webhook-id` can arrive more than once.
 * @throws {WebhookError}
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent> {
	const { body, headers, secret, now = Date.now() } = received;
	const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
		readHeader(headers, `webhook-${name}`),
	) as [string, string, string];
	if (!(Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_S))
		throw new WebhookError("webhook-timestamp is more than five minutes off");
	const content = typeof body === "string" ? new TextEncoder().encode(body) : body;
	const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), content);
	for (const one of typeof secret === "string" ? [secret] : secret) {
		const key = await importKey(one);
		for (const signature of signatures.split(" ")) {
			const bytes = signature.startsWith("v1,") ? fromBase64(signature.slice(3)) : null;
			if (bytes && (await crypto.subtle.verify("HMAC", key, bytes, signed)))
				return JSON.parse(new TextDecoder().decode(content)) as WebhookEvent;
		}
	}
	throw new WebhookError("webhook-signature is not ours");
}

function readHeader(headers: ReceivedWebhook["headers"], name: string): string {
	const value = headers instanceof Headers ? headers.get(name) : headers[name];
	if (typeof value !== "string" || value === "") throw new WebhookError(`${name} is missing`);
	return value;
}

function importKey(secret: string): Promise<CryptoKey> {
	const bytes = fromBase64(secret.replace(/^whsec_/, ""));
	if (!bytes?.length) throw new TypeError("The secret is not whsec_ and base64");
	return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
	try {
		return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
	} catch {
		return null;
	}
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
	const both = new Uint8Array(first.length + second.length);
	both.set(first);
	both.set(second, first.length);
	return both;
}
