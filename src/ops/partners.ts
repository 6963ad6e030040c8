import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { reopenWaiting } from "../db/outbox.ts";
import { changePartner, createPartner, findPartner, listPartners } from "../db/partners.ts";
import { rotateWebhookSecret } from "../db/webhook-secrets.ts";
import { judgeOutboundUrl } from "../delivery/outbound-url.ts";
import { WAITING_FOR_ENDPOINT } from "../delivery/outcome.ts";
import { BODY_MAX } from "../domain/limits.ts";
import { DEFAULT_SETTINGS } from "../domain/partner-settings.ts";
import { createApi } from "../http/api.ts";
import type { AppEnv } from "../http/app-env.ts";
import { forgetKeys } from "../http/authenticate.ts";
import { limitBody, requireJson } from "../http/body.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { JSON_ERRORS } from "../http/responses.ts";
import { invalidField } from "../http/validation.ts";
import { authorizeOps } from "./authorize-ops.ts";
import { mintKey, newId, originOf } from "./new-key.ts";
import { jsonBody, OPS_SECURITY, opsResponses } from "./route-parts.ts";
import { mintWebhookSecret } from "./webhook-secrets.ts";
import { presentKey, presentPartner, readSettings, settingsFields } from "./wire.ts";

const partnerPath = z.object({ id: z.string().max(64, "identifier") });

const FIRST_KEY_LABEL = "first key";

const create = createRoute({
	method: "post",
	path: "/partners",
	tags: ["Ops"],
	summary: "Create a partner with its first API key, shown this once",
	security: OPS_SECURITY,
	middleware: [limitBody(BODY_MAX), authorizeOps, requireJson] as const,
	request: jsonBody(z.strictObject(settingsFields, "object").openapi("NewPartner")),
	responses: opsResponses(201, "The partner and its key.", JSON_ERRORS),
});

const list = createRoute({
	method: "get",
	path: "/partners",
	tags: ["Ops"],
	summary: "List partners",
	security: OPS_SECURITY,
	middleware: [authorizeOps] as const,
	responses: opsResponses(200, "All partners, oldest first."),
});

const show = createRoute({
	method: "get",
	path: "/partners/{id}",
	tags: ["Ops"],
	summary: "Show a partner and its keys",
	security: OPS_SECURITY,
	middleware: [authorizeOps] as const,
	request: { params: partnerPath },
	responses: opsResponses(200, "The partner."),
});

const change = createRoute({
	method: "patch",
	path: "/partners/{id}",
	tags: ["Ops"],
	summary: "Change a partner's settings, or suspend it",
	security: OPS_SECURITY,
	middleware: [limitBody(BODY_MAX), authorizeOps, requireJson] as const,
	request: {
		params: partnerPath,
		...jsonBody(
			z
				.strictObject(
					{
						...settingsFields,
						name: settingsFields.name.optional(),
						suspended: z.boolean("boolean").optional(),
						webhook_enabled: z.boolean("boolean").optional().openapi({
							description: "A 410 of the endpoint switches it off; so does false. A new URL is on.",
						}),
					},
					"object",
				)
				.openapi("PartnerChange"),
		),
	},
	responses: opsResponses(200, "The partner as it is now.", JSON_ERRORS),
});

/** Whether a webhook may go there, by the settings of this environment. */
function mayReceive(c: Context<AppEnv>, webhookUrl: string | null | undefined): boolean {
	return webhookUrl == null || judgeOutboundUrl(webhookUrl, c.get("platform").settings.outbound).ok;
}

export const opsPartners = createApi()
	.openapi(create, async (c) => {
		const settings = {
			...DEFAULT_SETTINGS,
			...readSettings(c.req.valid("json")),
			name: c.req.valid("json").name,
		};
		if (!mayReceive(c, settings.webhookUrl)) return invalidField(c, "webhook_url", "url");
		const { apiKey, row } = await mintKey(c, FIRST_KEY_LABEL);
		const db = c.get("platform").db;
		const id = newId("pt");
		const origin = originOf(c);
		const { now } = origin;
		const webhook = await mintWebhookSecret(c, id);
		const secret = rotateWebhookSecret(db, webhook.row, { now, overlapUntil: now });
		const partner = await createPartner(db, { ...settings, id }, row, origin, secret);
		const data = { partner: presentPartner(partner), api_key: apiKey, webhook_secret: webhook.secret };
		return c.json({ success: true, data }, 201);
	})
	.openapi(list, async (c) => {
		const rows = await listPartners(c.get("platform").db);
		return c.json({ success: true, data: { partners: rows.map(presentPartner) } }, 200);
	})
	.openapi(show, async (c) => {
		const found = await findPartner(c.get("platform").db, c.req.valid("param").id);
		if (!found) return rejectionAnswer(c, { reason: "not_found" });
		const data = { partner: presentPartner(found.partner), keys: found.keys.map(presentKey) };
		return c.json({ success: true, data }, 200);
	})
	.openapi(change, async (c) => {
		const { suspended, webhook_enabled, ...sent } = c.req.valid("json");
		if (!mayReceive(c, sent.webhook_url)) return invalidField(c, "webhook_url", "url");
		const origin = originOf(c);
		const { now } = origin;
		const db = c.get("platform").db;
		const partnerId = c.req.valid("param").id;
		const switchedOn = webhook_enabled ?? (typeof sent.webhook_url === "string" || undefined);
		const partner = await changePartner(
			db,
			partnerId,
			(row) =>
				isEmpty(c.req.valid("json"))
					? null
					: {
							action: suspended === undefined ? "changed" : suspended ? "suspended" : "resumed",
							outcome: Object.keys(c.req.valid("json")).sort().join(" "),
							set: {
								...readSettings(sent),
								...(suspended !== undefined && { suspendedAt: suspended ? (row.suspendedAt ?? now) : null }),
								...(switchedOn !== undefined && {
									webhookOffAt: switchedOn ? null : (row.webhookOffAt ?? now),
								}),
							},
							alongside: switchedOn
								? [reopenWaiting(db, { partnerId, outcomes: WAITING_FOR_ENDPOINT, now })]
								: [],
						},
			origin,
		);
		if (!partner) return rejectionAnswer(c, { reason: "not_found" });
		forgetKeys();
		return c.json({ success: true, data: { partner: presentPartner(partner) } }, 200);
	});

function isEmpty(sent: object): boolean {
	return Object.keys(sent).length === 0;
}
