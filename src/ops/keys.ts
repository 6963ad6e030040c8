import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { answerAddedKey, answerRotatedKey } from "../accounts/key-answers.ts";
import { addedKey, keyRotation, newKey, presentKey, revokedKey, rotatedKey } from "../accounts/key-wire.ts";
import { type KeyCall, revokeKey } from "../accounts/keys.ts";
import { createApi } from "../http/api.ts";
import type { AppEnv } from "../http/app-env.ts";
import { forgetKeys } from "../http/authenticate.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";
import { jsonBody } from "../http/responses.ts";
import { originOf } from "./authorize.ts";
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
	.openapi(add, (c) => answerAddedKey(c, callOf(c, c.req.valid("param")), c.req.valid("json")))
	.openapi(rotate, (c) => {
		const { id, keyId } = c.req.valid("param");
		return answerRotatedKey(c, callOf(c, { id }), keyId, c.req.valid("json"));
	})
	.openapi(revoke, async (c) => {
		const { id, keyId } = c.req.valid("param");
		const revoked = await revokeKey(platformIn(c), callOf(c, { id }), keyId);
		// Ops are held to no last key of a partner.
		if (revoked.kind !== "done") return errorAnswer(c, "not_found");
		forgetKeys();
		return c.json({ success: true as const, data: { key: presentKey(revoked.key) } }, 200);
	});

function callOf(c: Context<AppEnv>, { id }: { id: string }): KeyCall {
	return { partnerId: id, origin: originOf(c) };
}
