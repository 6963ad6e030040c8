import { createRoute, z } from "@hono/zod-openapi";
import type { ChangeOrigin } from "../db/audit-events.ts";
import { type ApiKeyRow, addKey, changePartner, findPartner, revokeKey } from "../db/partners.ts";
import type { Db } from "../db/query.ts";
import { BODY_MAX } from "../domain/limits.ts";
import { createApi } from "../http/api.ts";
import { forgetKeys } from "../http/authenticate.ts";
import { limitBody, requireJson } from "../http/body.ts";
import { printable } from "../http/fields.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { JSON_ERRORS } from "../http/responses.ts";
import { authorizeOps } from "./authorize-ops.ts";
import { mintKey, type NewKeyRow, originOf } from "./new-key.ts";
import { endOfOverlap, overlapHours } from "./overlap.ts";
import { jsonBody, OPS_SECURITY, opsResponses } from "./route-parts.ts";
import { presentKey } from "./wire.ts";

const add = createRoute({
	method: "post",
	path: "/partners/{id}/keys",
	tags: ["Ops"],
	summary: "Give a partner another API key, shown this once",
	security: OPS_SECURITY,
	middleware: [limitBody(BODY_MAX), authorizeOps, requireJson] as const,
	request: {
		params: z.object({ id: z.string().max(64, "identifier") }),
		...jsonBody(z.strictObject({ label: printable(100, "name") }, "object").openapi("NewKey")),
	},
	responses: opsResponses(201, "The key.", JSON_ERRORS),
});

const keyPath = z.object({ id: z.string().max(64, "identifier"), keyId: z.string().max(64, "identifier") });

const rotate = createRoute({
	method: "post",
	path: "/partners/{id}/keys/{keyId}/rotate",
	tags: ["Ops"],
	summary: "Replace an API key: the new one is shown this once, the old one ends after the overlap",
	security: OPS_SECURITY,
	middleware: [limitBody(BODY_MAX), authorizeOps, requireJson] as const,
	request: {
		params: keyPath,
		...jsonBody(
			z
				.strictObject(
					{
						label: printable(100, "name"),
						overlap_hours: overlapHours,
					},
					"object",
				)
				.openapi("KeyRotation"),
		),
	},
	responses: opsResponses(201, "The new key, and the old one with its end.", JSON_ERRORS),
});

const revoke = createRoute({
	method: "delete",
	path: "/partners/{id}/keys/{keyId}",
	tags: ["Ops"],
	summary: "Revoke an API key; in force everywhere within 60 s",
	security: OPS_SECURITY,
	middleware: [authorizeOps] as const,
	request: { params: keyPath },
	responses: opsResponses(200, "The key as it is now."),
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
		if (!partner) return rejectionAnswer(c, { reason: "not_found" });
		const key = presentKey(newKeyRow(id, row, origin));
		return c.json({ success: true, data: { key, api_key: apiKey } }, 201);
	})
	.openapi(rotate, async (c) => {
		const { id, keyId } = c.req.valid("param");
		const { label, overlap_hours } = c.req.valid("json");
		const db = c.get("platform").db;
		const old = await findKey(db, id, keyId);
		const origin = originOf(c);
		if (!old || hasEnded(old, origin.now)) return rejectionAnswer(c, { reason: "not_found" });
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
		return c.json({ success: true, data }, 201);
	})
	.openapi(revoke, async (c) => {
		const { id, keyId } = c.req.valid("param");
		const db = c.get("platform").db;
		const key = await findKey(db, id, keyId);
		if (!key) return rejectionAnswer(c, { reason: "not_found" });
		const origin = originOf(c);
		const ended = hasEnded(key, origin.now);
		if (!ended) {
			const alongside = [revokeKey(db, id, keyId, origin.now)];
			await changePartner(db, id, () => ({ action: "key_revoked", outcome: keyId, alongside }), origin);
			forgetKeys();
		}
		const data = { key: presentKey(ended ? key : { ...key, revokedAt: origin.now }) };
		return c.json({ success: true, data }, 200);
	});

async function findKey(db: Db, partnerId: string, keyId: string): Promise<ApiKeyRow | null> {
	const found = await findPartner(db, partnerId);
	return found?.keys.find(({ id }) => id === keyId) ?? null;
}

function hasEnded({ revokedAt }: ApiKeyRow, now: number): boolean {
	return revokedAt !== null && revokedAt <= now;
}

function newKeyRow(partnerId: string, row: NewKeyRow, { now }: ChangeOrigin): ApiKeyRow {
	return { ...row, partnerId, createdAt: now, lastUsedAt: null, revokedAt: null };
}
