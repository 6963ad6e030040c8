import { createRoute, z } from "@hono/zod-openapi";
import { addKey, changePartner, revokeKey } from "../db/change-partner.ts";
import { findPartner } from "../db/partners.ts";
import { openRegister } from "../db/register.ts";
import { BODY_MAX } from "../domain/limits.ts";
import { createApi } from "../http/api.ts";
import { forgetKeys } from "../http/authenticate.ts";
import { limitBody, requireJson } from "../http/body.ts";
import { printable } from "../http/fields.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { JSON_ERRORS } from "../http/responses.ts";
import { authorizeOps } from "./authorize-ops.ts";
import { mintKey, originOf } from "./new-key.ts";
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

const revoke = createRoute({
	method: "delete",
	path: "/partners/{id}/keys/{keyId}",
	tags: ["Ops"],
	summary: "Revoke an API key; in force everywhere within 60 s",
	security: OPS_SECURITY,
	middleware: [authorizeOps] as const,
	request: {
		params: z.object({ id: z.string().max(64, "identifier"), keyId: z.string().max(64, "identifier") }),
	},
	responses: opsResponses(200, "The key as it is now."),
});

export const opsKeys = createApi()
	.openapi(add, async (c) => {
		const { id } = c.req.valid("param");
		const { label } = c.req.valid("json");
		const { apiKey, row } = await mintKey(c, label);
		const origin = originOf(c);
		const register = openRegister(c.env.DB);
		const change = {
			action: "key_added",
			outcome: row.id,
			alongside: [addKey(register, id, row, origin.now)],
		};
		const partner = await changePartner(register, id, () => change, origin);
		if (!partner) return rejectionAnswer(c, { reason: "not_found" });
		const key = presentKey({
			...row,
			partnerId: id,
			createdAt: origin.now,
			lastUsedAt: null,
			revokedAt: null,
		});
		return c.json({ success: true, data: { key, api_key: apiKey } }, 201);
	})
	.openapi(revoke, async (c) => {
		const { id, keyId } = c.req.valid("param");
		const register = openRegister(c.env.DB);
		const found = await findPartner(register, id);
		const key = found?.keys.find((candidate) => candidate.id === keyId);
		if (!key) return rejectionAnswer(c, { reason: "not_found" });
		const origin = originOf(c);
		if (key.revokedAt === null) {
			const alongside = [revokeKey(register, id, keyId, origin.now)];
			await changePartner(register, id, () => ({ action: "key_revoked", outcome: keyId, alongside }), origin);
			forgetKeys();
		}
		return c.json(
			{ success: true, data: { key: presentKey({ ...key, revokedAt: key.revokedAt ?? origin.now }) } },
			200,
		);
	});
