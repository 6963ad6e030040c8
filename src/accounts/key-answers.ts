import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { invalidField } from "../http/api.ts";
import type { AppEnv } from "../http/app-env.ts";
import { forgetKeys } from "../http/authenticate.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";
import { type keyRotation, type newKey, presentKey, readKey } from "./key-wire.ts";
import { addKey, type KeyCall, rotateKey } from "./keys.ts";

/* What ops and partners are answered: the same calls, made for a partner or by it. */

export async function answerAddedKey(c: Context<AppEnv>, call: KeyCall, sent: z.output<typeof newKey>) {
	const wanted = readKey(sent);
	if (hasPassed(wanted.expiresAt, call)) return invalidField(c, "expires_at", "expiry");
	const added = await addKey(platformIn(c), call, wanted);
	if (added.kind === "not_found") return errorAnswer(c, "not_found");
	if (added.kind === "refused") return errorAnswer(c, added.reason);
	const data = { key: presentKey(added.key), api_key: added.apiKey };
	return c.json({ success: true as const, data }, 201);
}

export async function answerRotatedKey(
	c: Context<AppEnv>,
	call: KeyCall,
	keyId: string,
	{ label, overlap_hours: overlapHours, expires_at: expiresAt }: z.output<typeof keyRotation>,
) {
	if (hasPassed(expiresAt, call)) return invalidField(c, "expires_at", "expiry");
	const rotated = await rotateKey(platformIn(c), call, { keyId, label, overlapHours, expiresAt });
	if (rotated.kind === "not_found") return errorAnswer(c, "not_found");
	if (rotated.kind === "refused") return errorAnswer(c, rotated.reason);
	forgetKeys();
	const { key, replaces, apiKey } = rotated;
	const data = { key: presentKey(key), replaces: presentKey(replaces), api_key: apiKey };
	return c.json({ success: true as const, data }, 201);
}

export function hasPassed(expiresAt: number | null | undefined, { origin }: KeyCall): boolean {
	return expiresAt != null && expiresAt <= origin.now;
}
