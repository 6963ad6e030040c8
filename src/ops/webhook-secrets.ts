import { z } from "@hono/zod-openapi";
import { secretRotation } from "../accounts/key-wire.ts";
import { endOfOverlap, mintWebhookSecret } from "../accounts/new-secrets.ts";
import { changePartner } from "../db/partners.ts";
import { rotateWebhookSecret } from "../db/webhook-secrets.ts";
import { createApi } from "../http/api.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";
import { dateTime, jsonBody, successBody } from "../http/responses.ts";
import { timestamp } from "../http/timestamp.ts";
import { originOf } from "./authorize.ts";
import { opsRoute } from "./ops-route.ts";

const rotate = opsRoute({
	id: "rotateWebhookSecret",
	tag: "Partners",
	role: "operate",
	method: "post",
	path: "/partners/{id}/webhook-secret",
	request: {
		params: z.object({ id: z.string().max(64, "identifier") }),
		...jsonBody(secretRotation),
	},
	success: {
		status: 201,
		schema: successBody(z.strictObject({ webhook_secret: z.string(), previous_valid_until: dateTime })),
		example: {
			success: true,
			data: {
				webhook_secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwPD8ILPZIo2I=",
				previous_valid_until: "2026-11-22T12:00:00.000Z",
			},
		},
	},
	reasons: [],
});

export const opsWebhookSecrets = createApi().openapi(rotate, async (c) => {
	const { id } = c.req.valid("param");
	const { overlap_hours } = c.req.valid("json");
	const origin = originOf(c);
	const overlapUntil = endOfOverlap(origin.now, overlap_hours);
	const db = c.get("platform").db;
	const { secret, row } = await mintWebhookSecret(platformIn(c), id);
	const alongside = rotateWebhookSecret(db, row, { now: origin.now, overlapUntil });
	const change = { action: "webhook_secret_rotated", outcome: row.id, alongside };
	const partner = await changePartner(db, id, () => change, origin);
	if (!partner) return errorAnswer(c, "not_found");
	const data = { webhook_secret: secret, previous_valid_until: timestamp(overlapUntil) };
	return c.json({ success: true as const, data }, 201);
});
