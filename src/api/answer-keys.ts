import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AppEnv } from "../http/app-env.ts";
import type { PartnerCaller } from "../services/caller.ts";
import { addKey, rotateKey } from "../services/keys.ts";
import {
	type keyRotation,
	type newKey,
	presentAddedKey,
	presentRotatedKey,
	readKey,
	readRotation,
} from "../wire/key.ts";
import { answerRefusal } from "../wire/refusals.ts";

/* Answers of the calls on keys, common to ops and partners. */

export async function answerAdded(c: Context<AppEnv>, caller: PartnerCaller, sent: z.output<typeof newKey>) {
	const added = await addKey(caller, readKey(sent));
	if (added.kind === "refused") return answerRefusal(c, added.reason);
	return c.json({ success: true as const, data: presentAddedKey(added) }, 201);
}

export async function answerRotated(
	c: Context<AppEnv>,
	caller: PartnerCaller,
	keyId: string,
	sent: z.output<typeof keyRotation>,
) {
	const rotated = await rotateKey(caller, { keyId, ...readRotation(sent) });
	if (rotated.kind === "refused") return answerRefusal(c, rotated.reason);
	return c.json({ success: true as const, data: presentRotatedKey(rotated) }, 201);
}
