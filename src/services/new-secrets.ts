import { bytesToHex } from "@noble/hashes/utils.js";
import type { NewKey } from "../db/api-keys.ts";
import { secretPlace } from "../db/webhook-secrets.ts";
import { createWebhookSecret } from "../delivery/webhook.ts";
import { HOUR_MS } from "../domain/durations.ts";
import type { Platform } from "../platform.ts";
import { createApiKey, hashApiKey, KEY_BYTES, keyEnvironment } from "../secrets/api-key.ts";
import type { KeyedHash } from "../secrets/keyed-hash.ts";
import type { Caller } from "./caller.ts";

/* API keys and webhook secrets: shown once when made, and valid for a while together with their successor. */

/** Purpose, scopes and limits of a key to be made. Times in epoch milliseconds. */
export type WantedKey = Omit<NewKey, "id" | "hash">;

/** A key to show once, and the row that is kept of it. */
export async function mintKey(
	{ platform, seed }: Caller,
	wanted: WantedKey,
): Promise<{ apiKey: string; row: NewKey }> {
	const apiKey = await newApiKey(platform, seed);
	return { apiKey, row: { ...wanted, id: newId("key"), hash: await hashApiKey(apiKey) } };
}

/** A webhook secret to show once, and the sealed row that is kept of it. */
export async function mintWebhookSecret({ platform, seed }: Caller, partnerId: string) {
	const id = newId("whs");
	const secret = await newWebhookSecret(platform, seed);
	return {
		secret,
		row: { id, partnerId, secretSealed: await platform.sealer.seal(secret, secretPlace(id)) },
	};
}

/** @param seed - of the form that makes the key: the form sent again makes the same; not given: a random key. */
export async function newApiKey({ settings, index }: Platform, seed?: string): Promise<string> {
	const bytes = await bytesOf(index, "form-api-key", seed);
	return createApiKey(keyEnvironment(settings.environment), bytes.subarray(0, KEY_BYTES));
}

/** @param seed - as for a key */
export async function newWebhookSecret({ index }: Platform, seed?: string): Promise<string> {
	return createWebhookSecret(await bytesOf(index, "form-webhook-secret", seed));
}

/** 32 bytes that nobody can guess. */
async function bytesOf(index: KeyedHash, use: string, seed?: string): Promise<Uint8Array<ArrayBuffer>> {
	if (seed === undefined) return crypto.getRandomValues(new Uint8Array(32));
	return Uint8Array.fromBase64(await index.of(use, seed), { alphabet: "base64url" });
}

/** `pt_…`, `key_…`, `whs_…`: 64 random bits, hex. A certificate's rows name its partner some twenty times. */
export function newId(prefix: "pt" | "key" | "whs"): string {
	return `${prefix}_${bytesToHex(crypto.getRandomValues(new Uint8Array(8)))}`;
}

const OVERLAP_HOURS = 24;

/** Computes the end of a rotated secret's validity. @param now - epoch milliseconds. */
export function endOfOverlap(now: number, hours = OVERLAP_HOURS): number {
	return now + hours * HOUR_MS;
}
