import { z } from "@hono/zod-openapi";
import { selectKeys } from "../../../db/api-keys.ts";
import { query } from "../../../db/query.ts";
import { createApi } from "../../../http/api.ts";
import { limitCalls } from "../../../http/rate-limit.ts";
import { jsonBody, successBody } from "../../../http/responses.ts";
import { partnerCaller } from "../../../services/caller.ts";
import { revokeKey } from "../../../services/keys.ts";
import {
	addedKey,
	endedKeys,
	endedKeysQuery,
	KEY_EXAMPLE,
	keyRotation,
	keySchema,
	newKey,
	presentKey,
	revokedKey,
	rotatedKey,
} from "../../../wire/key.ts";
import { answerRefused } from "../../../wire/refusals.ts";
import { answerAdded, answerEnded, answerRotated } from "../../answer-keys.ts";
import { deskRoute } from "./desk-route.ts";

const list = deskRoute({
	id: "listOwnKeys",
	tag: "Desk",
	scope: "read",
	method: "get",
	path: "/keys",
	limit: limitCalls,
	request: { query: z.strictObject({}) },
	success: {
		status: 200,
		schema: successBody(z.strictObject({ keys: z.array(keySchema) })),
		example: { success: true, data: { keys: [KEY_EXAMPLE] } },
	},
	reasons: [],
});

const ended = deskRoute({
	id: "listOwnEndedKeys",
	tag: "Desk",
	scope: "read",
	method: "get",
	path: "/ended_keys",
	limit: limitCalls,
	request: { query: endedKeysQuery },
	success: endedKeys,
	reasons: [],
	invalid: { field: "cursor", hint: "cursor" },
});

const add = deskRoute({
	id: "addOwnKey",
	tag: "Desk",
	scope: "manage",
	method: "post",
	path: "/keys",
	limit: limitCalls,
	request: jsonBody(newKey),
	success: addedKey,
	reasons: ["not_found", "too_many_keys", "wider_key", "too_many_key_changes", "outcome_unknown"],
	invalid: { field: "label", hint: "name" },
});

const keyPath = z.object({ id: z.string().max(64, "identifier").openapi({ example: KEY_EXAMPLE.id }) });

const rotate = deskRoute({
	id: "rotateOwnKey",
	tag: "Desk",
	scope: "manage",
	method: "post",
	path: "/keys/{id}/rotate",
	limit: limitCalls,
	request: { params: keyPath, ...jsonBody(keyRotation) },
	success: rotatedKey,
	reasons: [
		"not_found",
		"too_many_keys",
		"wider_key",
		"last_manage_key",
		"too_many_key_changes",
		"outcome_unknown",
	],
	invalid: { field: "overlap_hours", hint: "overlapHours" },
});

const revoke = deskRoute({
	id: "revokeOwnKey",
	tag: "Desk",
	scope: "manage",
	method: "delete",
	path: "/keys/{id}",
	limit: limitCalls,
	request: { params: keyPath },
	success: revokedKey,
	reasons: ["not_found", "last_manage_key", "too_many_key_changes", "outcome_unknown"],
	invalid: { field: "id", hint: "identifier" },
});

export const ownKeys = createApi()
	.openapi(list, async (c) => {
		const { db, partnerId, at } = partnerCaller(c);
		const keys = await query(selectKeys(db, partnerId, at));
		const data = { keys: keys.map(presentKey) };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(ended, (c) => answerEnded(c, partnerCaller(c), c.req.valid("query")))
	.openapi(add, (c) => answerAdded(c, partnerCaller(c), c.req.valid("json")))
	.openapi(rotate, (c) => answerRotated(c, partnerCaller(c), c.req.valid("param").id, c.req.valid("json")))
	.openapi(revoke, async (c) => {
		const revoked = await revokeKey(partnerCaller(c), c.req.valid("param").id);
		if (revoked.kind === "refused") return answerRefused(c, revoked);
		return c.json({ success: true as const, data: { key: presentKey(revoked.key) } }, 200);
	});
