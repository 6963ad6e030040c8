import { z } from "@hono/zod-openapi";
import { createApi } from "../../http/api.ts";
import { errorAnswer } from "../../http/errors.ts";
import { jsonBody } from "../../http/responses.ts";
import { onBehalfOf, opsCaller } from "../../services/caller.ts";
import { addKey, revokeKey, rotateKey } from "../../services/keys.ts";
import {
	addedKey,
	keyRotation,
	newKey,
	presentAddedKey,
	presentKey,
	presentRotatedKey,
	readKey,
	readRotation,
	revokedKey,
	rotatedKey,
} from "../../wire/key.ts";
import { answerRefusal } from "../../wire/refusals.ts";
import { opsRoute } from "./ops-route.ts";

const add = opsRoute({
	id: "addKey",
	tag: "Partners",
	role: "operate",
	method: "post",
	path: "/partners/{id}/keys",
	request: { params: z.object({ id: z.string().max(64, "identifier") }), ...jsonBody(newKey) },
	success: addedKey,
	reasons: ["too_many_keys"],
});

const keyPath = z.object({ id: z.string().max(64, "identifier"), keyId: z.string().max(64, "identifier") });

const rotate = opsRoute({
	id: "rotateKey",
	tag: "Partners",
	role: "operate",
	method: "post",
	path: "/partners/{id}/keys/{keyId}/rotate",
	request: { params: keyPath, ...jsonBody(keyRotation) },
	success: rotatedKey,
	reasons: ["too_many_keys"],
});

const revoke = opsRoute({
	id: "revokeKey",
	tag: "Partners",
	role: "operate",
	method: "delete",
	path: "/partners/{id}/keys/{keyId}",
	request: { params: keyPath },
	success: revokedKey,
	reasons: [],
});

export const opsKeys = createApi()
	.openapi(add, async (c) => {
		const caller = onBehalfOf(opsCaller(c), c.req.valid("param").id);
		const added = await addKey(caller, readKey(c.req.valid("json")));
		if (added.kind === "refused") return answerRefusal(c, added.reason);
		return c.json({ success: true as const, data: presentAddedKey(added) }, 201);
	})
	.openapi(rotate, async (c) => {
		const { id, keyId } = c.req.valid("param");
		const wanted = { keyId, ...readRotation(c.req.valid("json")) };
		const rotated = await rotateKey(onBehalfOf(opsCaller(c), id), wanted);
		if (rotated.kind === "refused") return answerRefusal(c, rotated.reason);
		return c.json({ success: true as const, data: presentRotatedKey(rotated) }, 201);
	})
	.openapi(revoke, async (c) => {
		const { id, keyId } = c.req.valid("param");
		const revoked = await revokeKey(onBehalfOf(opsCaller(c), id), keyId);
		// Ops are held to no last key of a partner.
		if (revoked.kind === "refused") return errorAnswer(c, "not_found");
		return c.json({ success: true as const, data: { key: presentKey(revoked.key) } }, 200);
	});
