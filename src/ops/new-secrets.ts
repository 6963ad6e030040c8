import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { NewKey } from "../db/api-keys.ts";
import { secretPlace } from "../db/webhook-secrets.ts";
import { createWebhookSecret } from "../delivery/webhook.ts";
import type { AppEnv } from "../http/app-env.ts";
import { keyEnvironment } from "../http/authenticate.ts";
import { platformIn } from "../http/platform-in.ts";
import { createApiKey, hashApiKey } from "../secrets/api-key.ts";
import { mark } from "../texts/language.ts";
import { OPS_REFERENCE } from "../texts/ops-reference.ts";

/* API keys and webhook secrets: shown once when made, and valid for a while together with their successor. */

/** A key to show once, and the row that is kept of it. */
export async function mintKey(c: Context<AppEnv>, label: string): Promise<{ apiKey: string; row: NewKey }> {
	const apiKey = await createApiKey(keyEnvironment(platformIn(c).settings.environment));
	return { apiKey, row: { id: newId("key"), hash: await hashApiKey(apiKey), label } };
}

/** A webhook secret to show once, and the sealed row that is kept of it. */
export async function mintWebhookSecret(c: Context<AppEnv>, partnerId: string) {
	const id = newId("whs");
	const secret = createWebhookSecret();
	const secretSealed = await platformIn(c).sealer.seal(secret, secretPlace(id));
	return { secret, row: { id, partnerId, secretSealed } };
}

/** `pt_…`, `key_…`, `whs_…`: 128 random bits, hex. */
export function newId(prefix: "pt" | "key" | "whs"): string {
	return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}

const OVERLAP_HOURS = 24;
const OVERLAP_HOURS_MAX = 168;
const HOUR_MS = 3_600_000;

/** How long the old secret of a rotation stays valid. */
export const overlapHours = z
	.int("overlapHours")
	.min(0, "overlapHours")
	.max(OVERLAP_HOURS_MAX, "overlapHours")
	.optional()
	.openapi({ description: mark(OPS_REFERENCE.overlapHours) });

/** When the old secret ends. @param now - epoch milliseconds. */
export function endOfOverlap(now: number, hours = OVERLAP_HOURS): number {
	return now + hours * HOUR_MS;
}
