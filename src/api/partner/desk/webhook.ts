import { z } from "@hono/zod-openapi";
import { pingWebhook } from "../../../delivery/ping.ts";
import { createApi } from "../../../http/api.ts";
import { errorAnswer } from "../../../http/errors.ts";
import { limitCalls } from "../../../http/rate-limit.ts";
import { jsonBody, successBody } from "../../../http/responses.ts";
import { timestamp } from "../../../http/timestamp.ts";
import { findOwnPartner, partnerCaller } from "../../../services/caller.ts";
import { changeWebhook } from "../../../services/own-settings.ts";
import { rotateSecret } from "../../../services/webhook-secret.ts";
import { pingResult, presentPing } from "../../../wire/delivery.ts";
import {
	OWN_WEBHOOK_EXAMPLE,
	ownWebhookSchema,
	presentOwnWebhook,
	webhookChange,
} from "../../../wire/own-settings.ts";
import { answerRefusal } from "../../../wire/refusals.ts";
import { rotatedSecret, secretRotation } from "../../../wire/secret.ts";
import { deskRoute } from "./desk-route.ts";

const shown = {
	status: 200 as const,
	schema: successBody(ownWebhookSchema),
	example: { success: true as const, data: OWN_WEBHOOK_EXAMPLE },
};

const show = deskRoute({
	id: "showOwnWebhook",
	tag: "Desk",
	scope: "read",
	method: "get",
	path: "/webhook",
	limit: limitCalls,
	request: { query: z.strictObject({}) },
	success: shown,
	reasons: [],
});

const change = deskRoute({
	id: "changeOwnWebhook",
	tag: "Desk",
	scope: "manage",
	method: "put",
	path: "/webhook",
	limit: limitCalls,
	request: jsonBody(webhookChange),
	success: shown,
	reasons: ["outcome_unknown"],
	invalid: { field: "webhook_url", hint: "url" },
});

const rotate = deskRoute({
	id: "rotateOwnWebhookSecret",
	tag: "Desk",
	scope: "manage",
	method: "post",
	path: "/webhook/secret",
	limit: limitCalls,
	request: jsonBody(secretRotation),
	success: rotatedSecret,
	reasons: ["not_found", "outcome_unknown"],
	invalid: { field: "overlap_hours", hint: "overlapHours" },
});

const test = deskRoute({
	id: "testOwnWebhook",
	tag: "Desk",
	scope: "manage",
	method: "post",
	path: "/webhook/test",
	limit: limitCalls,
	request: { query: z.strictObject({}) },
	success: pingResult,
	reasons: ["webhook_missing"],
});

export const ownWebhook = createApi()
	.openapi(show, async (c) => {
		const partner = await findOwnPartner(partnerCaller(c));
		return c.json({ success: true as const, data: presentOwnWebhook(partner) }, 200);
	})
	.openapi(change, async (c) => {
		const changed = await changeWebhook(partnerCaller(c), c.req.valid("json"));
		if (changed.kind === "refused") return answerRefusal(c, changed.reason, "webhook_url");
		return c.json({ success: true as const, data: presentOwnWebhook(changed.partner) }, 200);
	})
	.openapi(rotate, async (c) => {
		const rotated = await rotateSecret(partnerCaller(c), c.req.valid("json").overlap_hours);
		if (rotated.kind === "refused") return errorAnswer(c, rotated.reason);
		const data = { webhook_secret: rotated.secret, previous_valid_until: timestamp(rotated.previousUntil) };
		return c.json({ success: true as const, data }, 201);
	})
	.openapi(test, async (c) => {
		const ping = await pingWebhook(partnerCaller(c));
		if (!ping) return errorAnswer(c, "webhook_missing");
		return c.json({ success: true as const, data: presentPing(ping) }, 200);
	});
