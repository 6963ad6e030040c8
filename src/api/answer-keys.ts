import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv } from "../http/app-env.ts";
import type { PartnerCaller } from "../services/caller.ts";
import { addKey, type KeyRefusal, listEndedKeys, rotateKey } from "../services/keys.ts";
import {
	type endedKeysQuery,
	type keyRotation,
	type newKey,
	presentAddedKey,
	presentKey,
	presentRotatedKey,
	readKey,
	readRotation,
} from "../wire/key.ts";
import { answerRefused } from "../wire/refusals.ts";

/* Answers of the calls on keys, common to ops and partners. */

export async function answerAdded(c: Context<AppEnv>, caller: PartnerCaller, sent: z.output<typeof newKey>) {
	const added = await addKey(caller, readKey(sent));
	if (added.kind === "refused") return answerKeyRefusal(c, added);
	return c.json({ success: true as const, data: presentAddedKey(added) }, 201);
}

export async function answerEnded(
	c: Context<AppEnv>,
	caller: PartnerCaller,
	asked: z.output<typeof endedKeysQuery>,
) {
	const { page, next } = await listEndedKeys(caller, asked);
	return c.json({ success: true as const, data: { keys: page.map(presentKey), next } }, 200);
}

export async function answerRotated(
	c: Context<AppEnv>,
	caller: PartnerCaller,
	keyId: string,
	sent: z.output<typeof keyRotation>,
) {
	const rotated = await rotateKey(caller, { keyId, ...readRotation(sent) });
	if (rotated.kind === "refused") return answerKeyRefusal(c, rotated);
	return c.json({ success: true as const, data: presentRotatedKey(rotated) }, 201);
}

function answerKeyRefusal(c: Context<AppEnv>, refused: KeyRefusal) {
	// Ops' routes, whose types have no such answer, are never refused for the rate.
	type Reason = Exclude<KeyRefusal["reason"], "too_many_key_changes">;
	return answerRefused(c, refused as KeyRefusal & { reason: Reason });
}
