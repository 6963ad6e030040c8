import { z } from "@hono/zod-openapi";
import type { PartnerRow } from "../../../db/partners.ts";
import { type Ping, pingWebhook } from "../../../delivery/ping.ts";
import { createApi } from "../../../http/api.ts";
import { errorAnswer } from "../../../http/errors.ts";
import { limitCalls } from "../../../http/rate-limit.ts";
import { jsonBody, successBody } from "../../../http/responses.ts";
import { timestamp } from "../../../http/timestamp.ts";
import { findOwnPartner, partnerCaller } from "../../../services/caller.ts";
import { changeWebhook, webhookChange } from "../../../services/own-settings.ts";
import { rotateSecret } from "../../../services/webhook-secret.ts";
import { DESK_REFERENCE } from "../../../texts/desk-reference.ts";
import { mark } from "../../../texts/language.ts";
import { PARTNER_EXAMPLE, partnerSchema, presentPartner } from "../../../wire/partner.ts";
import { answerRefusal } from "../../../wire/refusals.ts";
import { rotatedSecret, secretRotation } from "../../../wire/secret.ts";
import { deskRoute } from "./desk-route.ts";

const webhook = partnerSchema
	.pick({ webhook_url: true, webhook_events: true, webhook_off_since: true, webhook_off_by: true })
	.openapi("OwnWebhook");

const EXAMPLE = {
	webhook_url: "https://partner.example/webhooks/certificates",
	webhook_events: PARTNER_EXAMPLE.webhook_events,
	webhook_off_since: null,
	webhook_off_by: null,
};

const shown = {
	status: 200 as const,
	schema: successBody(webhook),
	example: { success: true as const, data: EXAMPLE },
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
	reasons: [],
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
	reasons: ["not_found"],
	invalid: { field: "overlap_hours", hint: "overlapHours" },
});

/** How a post that was waited for went. */
export const pingResult = {
	status: 200 as const,
	schema: successBody(
		z.strictObject({
			webhook_id: z.string(),
			webhook_url: z.string(),
			outcome: z.string().openapi({ description: mark(DESK_REFERENCE.attemptOutcome) }),
			http_status: z.int().nullable(),
			duration_ms: z.int(),
		}),
	),
	example: {
		success: true as const,
		data: {
			webhook_id: "5f2b8a52-6a0e-4e0b-9f5e-0d6f0c1b7a11",
			webhook_url: EXAMPLE.webhook_url,
			outcome: "delivered",
			http_status: 204,
			duration_ms: 182,
		},
	},
};

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
		return c.json({ success: true as const, data: present(partner) }, 200);
	})
	.openapi(change, async (c) => {
		const changed = await changeWebhook(partnerCaller(c), c.req.valid("json"));
		if (changed.kind === "refused") return answerRefusal(c, changed.reason, "webhook_url");
		return c.json({ success: true as const, data: present(changed.partner) }, 200);
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

export function presentPing({ id, url, outcome, httpStatus, durationMs }: Ping) {
	return {
		webhook_id: id,
		webhook_url: url,
		outcome,
		http_status: httpStatus,
		duration_ms: durationMs,
	};
}

function present(row: PartnerRow): z.input<typeof webhook> {
	const { webhook_url, webhook_events, webhook_off_since, webhook_off_by } = presentPartner(row);
	return { webhook_url, webhook_events, webhook_off_since, webhook_off_by };
}
