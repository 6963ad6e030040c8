import type { Context } from "hono";
import type { ChangeOrigin } from "../db/audit-events.ts";
import type { addKey } from "../db/partners.ts";
import type { AppEnv } from "../http/app-env.ts";
import { keyEnvironment } from "../http/authenticate.ts";
import { createApiKey, hashApiKey } from "../secrets/api-key.ts";
import { OPS_ACTOR } from "./authorize-ops.ts";

export type NewKeyRow = Parameters<typeof addKey>[2];

/** A key to show once, and the row that is kept of it. */
export async function mintKey(
	c: Context<AppEnv>,
	label: string,
): Promise<{ apiKey: string; row: NewKeyRow }> {
	const apiKey = await createApiKey(keyEnvironment(c.get("platform").settings.environment));
	return { apiKey, row: { id: newId("key"), hash: await hashApiKey(apiKey), label } };
}

/** `pt_…`, `key_…`: 128 random bits, hex. */
export function newId(prefix: "pt" | "key"): string {
	return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}

export function originOf(c: Context<AppEnv>): ChangeOrigin {
	return { actor: OPS_ACTOR, requestId: c.get("requestId"), now: Date.now() };
}
