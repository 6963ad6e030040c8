import { z } from "@hono/zod-openapi";
import { createApi } from "../../http/api.ts";
import { errorAnswer } from "../../http/errors.ts";
import { jsonBody } from "../../http/responses.ts";
import { timestamp } from "../../http/timestamp.ts";
import { opsCallerFor } from "../../services/caller.ts";
import { rotateSecret } from "../../services/webhook-secret.ts";
import { rotatedSecret, secretRotation } from "../../wire/secret.ts";
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
	const caller = await opsCallerFor(c, c.req.valid("param").id);
	if (!caller) return errorAnswer(c, "not_found");
	const rotated = await rotateSecret(caller, c.req.valid("json").overlap_hours);
	if (rotated.kind === "refused") return errorAnswer(c, rotated.reason);
	const data = { webhook_secret: rotated.secret, previous_valid_until: timestamp(rotated.previousUntil) };
	return c.json({ success: true as const, data }, 201);
});
