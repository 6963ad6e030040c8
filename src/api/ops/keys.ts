import { z } from "@hono/zod-openapi";
import { createApi } from "../../http/api.ts";
import { errorAnswer } from "../../http/errors.ts";
import { jsonBody } from "../../http/responses.ts";
import { opsCallerFor } from "../../services/caller.ts";
import { revokeKey } from "../../services/keys.ts";
import {
	addedKey,
	endedKeys,
	endedKeysQuery,
	keyRotation,
	newKey,
	presentKey,
	revokedKey,
	rotatedKey,
} from "../../wire/key.ts";
import { answerAdded, answerEnded, answerRotated } from "../answer-keys.ts";
import { opsRoute } from "./ops-route.ts";

const ended = opsRoute({
	id: "listEndedKeys",
	tag: "Partners",
	role: "read",
	method: "get",
	path: "/partners/{id}/ended_keys",
	request: { params: z.object({ id: z.string().max(64, "identifier") }), query: endedKeysQuery },
	success: endedKeys,
	reasons: [],
});

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
	.openapi(ended, async (c) => {
		const caller = await opsCallerFor(c, c.req.valid("param").id);
		if (!caller) return errorAnswer(c, "not_found");
		return answerEnded(c, caller, c.req.valid("query"));
	})
	.openapi(add, async (c) => {
		const caller = await opsCallerFor(c, c.req.valid("param").id);
		if (!caller) return errorAnswer(c, "not_found");
		return answerAdded(c, caller, c.req.valid("json"));
	})
	.openapi(rotate, async (c) => {
		const { id, keyId } = c.req.valid("param");
		const caller = await opsCallerFor(c, id);
		if (!caller) return errorAnswer(c, "not_found");
		return answerRotated(c, caller, keyId, c.req.valid("json"));
	})
	.openapi(revoke, async (c) => {
		const { id, keyId } = c.req.valid("param");
		const caller = await opsCallerFor(c, id);
		if (!caller) return errorAnswer(c, "not_found");
		const revoked = await revokeKey(caller, keyId);
		// Ops may end a partner's last key.
		if (revoked.kind === "refused") return errorAnswer(c, "not_found");
		return c.json({ success: true as const, data: { key: presentKey(revoked.key) } }, 200);
	});
