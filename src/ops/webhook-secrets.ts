import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { changePartner } from "../db/partners.ts";
import { rotateWebhookSecret, secretPlace } from "../db/webhook-secrets.ts";
import { createWebhookSecret } from "../delivery/webhook.ts";
import { BODY_MAX } from "../domain/limits.ts";
import { createApi } from "../http/api.ts";
import type { AppEnv } from "../http/app-env.ts";
import { limitBody, requireJson } from "../http/body.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { JSON_ERRORS } from "../http/responses.ts";
import { authorizeOps } from "./authorize-ops.ts";
import { originOf } from "./new-key.ts";
import { endOfOverlap, overlapHours } from "./overlap.ts";
import { jsonBody, OPS_SECURITY, opsResponses } from "./route-parts.ts";
import { timestamp } from "./wire.ts";

const rotate = createRoute({
	method: "post",
	path: "/partners/{id}/webhook-secret",
	tags: ["Ops"],
	summary: "Give a partner a new webhook secret, shown this once; the one before signs beside it for a while",
	security: OPS_SECURITY,
	middleware: [limitBody(BODY_MAX), authorizeOps, requireJson] as const,
	request: {
		params: z.object({ id: z.string().max(64, "identifier") }),
		...jsonBody(
			z
				.strictObject(
					{
						overlap_hours: overlapHours,
					},
					"object",
				)
				.openapi("WebhookSecretRotation"),
		),
	},
	responses: opsResponses(201, "The secret.", JSON_ERRORS),
});

export const opsWebhookSecrets = createApi().openapi(rotate, async (c) => {
	const { id } = c.req.valid("param");
	const { overlap_hours } = c.req.valid("json");
	const origin = originOf(c);
	const overlapUntil = endOfOverlap(origin.now, overlap_hours);
	const db = c.get("platform").db;
	const { secret, row } = await mintWebhookSecret(c, id);
	const alongside = rotateWebhookSecret(db, row, { now: origin.now, overlapUntil });
	const change = { action: "webhook_secret_rotated", outcome: row.id, alongside };
	const partner = await changePartner(db, id, () => change, origin);
	if (!partner) return rejectionAnswer(c, { reason: "not_found" });
	const data = { webhook_secret: secret, previous_valid_until: timestamp(overlapUntil) };
	return c.json({ success: true, data }, 201);
});

/** A secret to show once, and the sealed row that is kept of it. */
export async function mintWebhookSecret(c: Context<AppEnv>, partnerId: string) {
	const id = `whs_${crypto.randomUUID().replaceAll("-", "")}`;
	const secret = createWebhookSecret();
	const secretSealed = await c.get("platform").sealer.seal(secret, secretPlace(id));
	return { secret, row: { id, partnerId, secretSealed } };
}
