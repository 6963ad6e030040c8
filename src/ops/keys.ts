import { z } from "@hono/zod-openapi";
import { type ApiKeyRow, addKey, type NewKey, revokeKey } from "../db/api-keys.ts";
import type { ChangeOrigin } from "../db/audit-events.ts";
import { changePartner, findPartner } from "../db/partners.ts";
import type { Db } from "../db/query.ts";
import { createApi } from "../http/api.ts";
import { forgetKeys } from "../http/authenticate.ts";
import { errorAnswer } from "../http/errors.ts";
import { printable } from "../http/fields.ts";
import { jsonBody, successBody } from "../http/responses.ts";
import { originOf } from "./authorize.ts";
import { endOfOverlap, mintKey, overlapHours } from "./new-secrets.ts";
import { opsRoute } from "./ops-route.ts";
import { KEY_EXAMPLE, keySchema, presentKey } from "./wire.ts";

const API_KEY_EXAMPLE = "gw_dev_7K3M9QXT2B4CH8WD5N6P7R8S9T0V1W2X";

const add = opsRoute({
	id: "addKey",
	tag: "Partners",
	role: "operate",
	method: "post",
	path: "/partners/{id}/keys",
	request: {
		params: z.object({ id: z.string().max(64, "identifier") }),
		...jsonBody(z.strictObject({ label: printable(100, "name") }, "object").openapi("NewKey")),
	},
	success: {
		status: 201,
		schema: successBody(z.strictObject({ key: keySchema, api_key: z.string() })),
		example: { success: true, data: { key: KEY_EXAMPLE, api_key: API_KEY_EXAMPLE } },
	},
	reasons: [],
});

const keyPath = z.object({ id: z.string().max(64, "identifier"), keyId: z.string().max(64, "identifier") });

const rotate = opsRoute({
	id: "rotateKey",
	tag: "Partners",
	role: "operate",
	method: "post",
	path: "/partners/{id}/keys/{keyId}/rotate",
	request: {
		params: keyPath,
		...jsonBody(
			z
				.strictObject({ label: printable(100, "name"), overlap_hours: overlapHours }, "object")
				.openapi("KeyRotation"),
		),
	},
	success: {
		status: 201,
		schema: successBody(z.strictObject({ key: keySchema, replaces: keySchema, api_key: z.string() })),
		example: {
			success: true,
			data: {
				key: KEY_EXAMPLE,
				replaces: {
					...KEY_EXAMPLE,
					id: "key_9d0e1f2a3b4c5d1c9e6b2a4d5f4c7b8a",
					revoked_at: "2026-11-22T12:00:00.000Z",
				},
				api_key: API_KEY_EXAMPLE,
			},
		},
	},
	reasons: [],
});

const revoke = opsRoute({
	id: "revokeKey",
	tag: "Partners",
	role: "operate",
	method: "delete",
	path: "/partners/{id}/keys/{keyId}",
	request: { params: keyPath },
	success: {
		status: 200,
		schema: successBody(z.strictObject({ key: keySchema })),
		example: { success: true, data: { key: { ...KEY_EXAMPLE, revoked_at: "2026-11-22T12:00:00.000Z" } } },
	},
	reasons: [],
});

export const opsKeys = createApi()
	.openapi(add, async (c) => {
		const { id } = c.req.valid("param");
		const { label } = c.req.valid("json");
		const { apiKey, row } = await mintKey(c, label);
		const origin = originOf(c);
		const db = c.get("platform").db;
		const change = {
			action: "key_added",
			outcome: row.id,
			alongside: [addKey(db, id, row, origin.now)],
		};
		const partner = await changePartner(db, id, () => change, origin);
		if (!partner) return errorAnswer(c, "not_found");
		const key = presentKey(newKeyRow(id, row, origin));
		return c.json({ success: true as const, data: { key, api_key: apiKey } }, 201);
	})
	.openapi(rotate, async (c) => {
		const { id, keyId } = c.req.valid("param");
		const { label, overlap_hours } = c.req.valid("json");
		const db = c.get("platform").db;
		const old = await findKey(db, id, keyId);
		const origin = originOf(c);
		if (!old || hasEnded(old, origin.now)) return errorAnswer(c, "not_found");
		const { apiKey, row } = await mintKey(c, label);
		const end = Math.min(old.revokedAt ?? Number.POSITIVE_INFINITY, endOfOverlap(origin.now, overlap_hours));
		const alongside = [addKey(db, id, row, origin.now), revokeKey(db, id, keyId, end)];
		const change = { action: "key_rotated", outcome: `${keyId} ${row.id}`, alongside };
		await changePartner(db, id, () => change, origin);
		forgetKeys();
		const data = {
			key: presentKey(newKeyRow(id, row, origin)),
			replaces: presentKey({ ...old, revokedAt: end }),
			api_key: apiKey,
		};
		return c.json({ success: true as const, data }, 201);
	})
	.openapi(revoke, async (c) => {
		const { id, keyId } = c.req.valid("param");
		const db = c.get("platform").db;
		const key = await findKey(db, id, keyId);
		if (!key) return errorAnswer(c, "not_found");
		const origin = originOf(c);
		const ended = hasEnded(key, origin.now);
		if (!ended) {
			const alongside = [revokeKey(db, id, keyId, origin.now)];
			await changePartner(db, id, () => ({ action: "key_revoked", outcome: keyId, alongside }), origin);
			forgetKeys();
		}
		const data = { key: presentKey(ended ? key : { ...key, revokedAt: origin.now }) };
		return c.json({ success: true as const, data }, 200);
	});

async function findKey(db: Db, partnerId: string, keyId: string): Promise<ApiKeyRow | null> {
	const found = await findPartner(db, partnerId);
	return found?.keys.find(({ id }) => id === keyId) ?? null;
}

function hasEnded({ revokedAt }: ApiKeyRow, now: number): boolean {
	return revokedAt !== null && revokedAt <= now;
}

function newKeyRow(partnerId: string, row: NewKey, { now }: ChangeOrigin): ApiKeyRow {
	return { ...row, partnerId, createdAt: now, lastUsedAt: null, revokedAt: null };
}
