import { bytesToHex } from "@noble/hashes/utils.js";
import type { NewKey } from "../db/api-keys.ts";
import { secretPlace } from "../db/webhook-secrets.ts";
import { createWebhookSecret } from "../delivery/webhook.ts";
import { HOUR_MS } from "../domain/durations.ts";
import type { Platform } from "../platform.ts";
import { createApiKey, hashApiKey, keyEnvironment } from "../secrets/api-key.ts";

/* API keys and webhook secrets: shown once when made, and valid for a while together with their successor. */

/** Purpose, scopes and limits of a key to be made. Times in epoch milliseconds. */
export type WantedKey = Omit<NewKey, "id" | "hash">;

/** A key to show once, and the row that is kept of it. */
export async function mintKey(
	{ settings }: Pick<Platform, "settings">,
	wanted: WantedKey,
): Promise<{ apiKey: string; row: NewKey }> {
	const apiKey = await createApiKey(keyEnvironment(settings.environment));
	return { apiKey, row: { ...wanted, id: newId("key"), hash: await hashApiKey(apiKey) } };
}

/** A webhook secret to show once, and the sealed row that is kept of it. */
export async function mintWebhookSecret({ sealer }: Pick<Platform, "sealer">, partnerId: string) {
	const id = newId("whs");
	const secret = createWebhookSecret();
	return { secret, row: { id, partnerId, secretSealed: await sealer.seal(secret, secretPlace(id)) } };
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
