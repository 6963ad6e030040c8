import { z } from "@hono/zod-openapi";
import { rotatedSecret, secretRotation } from "../accounts/secret-wire.ts";
import { rotateSecret } from "../accounts/webhook-secret.ts";
import { createApi } from "../http/api.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";
import { jsonBody } from "../http/responses.ts";
import { timestamp } from "../http/timestamp.ts";
import { originOf } from "./authorize.ts";
import { opsRoute } from "./ops-route.ts";

const rotate = opsRoute({
	id: "rotateWebhookSecret",
	tag: "Partners",
	role: "operate",
	method: "post",
	path: "/partners/{id}/webhook-secret",
	request: { params: z.object({ id: z.string().max(64, "identifier") }), ...jsonBody(secretRotation) },
	success: rotatedSecret,
	reasons: [],
});

export const opsWebhookSecrets = createApi().openapi(rotate, async (c) => {
	const call = { partnerId: c.req.valid("param").id, origin: originOf(c) };
	const rotated = await rotateSecret(platformIn(c), call, c.req.valid("json").overlap_hours);
	if (!rotated) return errorAnswer(c, "not_found");
	const data = { webhook_secret: rotated.secret, previous_valid_until: timestamp(rotated.previousUntil) };
	return c.json({ success: true as const, data }, 201);
});
