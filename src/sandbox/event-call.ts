import { z } from "@hono/zod-openapi";
import { pingWebhook } from "../delivery/ping.ts";
import { NOTICE, WEBHOOK_EVENTS } from "../domain/webhook-events.ts";
import { createApi } from "../http/api.ts";
import { errorAnswer } from "../http/errors.ts";
import { limitCalls } from "../http/rate-limit.ts";
import { exampleOf } from "../http/webhooks.ts";
import { partnerCaller } from "../services/caller.ts";
import { pingResult, presentPing } from "../wire/delivery.ts";
import { sandboxRoute } from "./sandbox-route.ts";

const EVENTS = [...WEBHOOK_EVENTS, NOTICE, "ping"] as const;

const route = sandboxRoute({
	id: "sendSandboxEvent",
	tag: "Sandbox",
	scope: "manage",
	method: "post",
	path: "/sandbox/events/{type}",
	limit: limitCalls,
	request: {
		params: z.object({ type: z.enum(EVENTS, "deliveryEvent").openapi({ example: "pcode.validated" }) }),
	},
	success: pingResult,
	reasons: ["webhook_missing"],
	invalid: { field: "type", hint: "deliveryEvent" },
});

export const eventCall = createApi().openapi(route, async (c) => {
	const { type } = c.req.valid("param");
	const event = { type, data: exampleOf(type) };
	const ping = await pingWebhook(partnerCaller(c), event);
	if (!ping) return errorAnswer(c, "webhook_missing");
	return c.json({ success: true as const, data: presentPing(ping) }, 200);
});
