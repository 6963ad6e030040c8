import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { KEY_EXAMPLE, keySchema, presentKey } from "../accounts/key-wire.ts";
import { mintKey, mintWebhookSecret, newId } from "../accounts/new-secrets.ts";
import { changePartner, createPartner, findPartner, listPartners } from "../db/partners.ts";
import { reopenWaiting } from "../db/reopen-deliveries.ts";
import { rotateWebhookSecret } from "../db/webhook-secrets.ts";
import { judgeOutboundUrl } from "../delivery/outbound-url.ts";
import { WAITING_FOR_ENDPOINT } from "../delivery/outcome.ts";
import { changeProblem, completeChange, type SettingsProblem } from "../domain/change-settings.ts";
import { DEFAULT_SCOPES } from "../domain/key-scopes.ts";
import { DEFAULT_SETTINGS } from "../domain/partner-settings.ts";
import { createApi, invalidField } from "../http/api.ts";
import type { AppEnv } from "../http/app-env.ts";
import { forgetKeys } from "../http/authenticate.ts";
import { errorAnswer, type FieldCode } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";
import { jsonBody, successBody } from "../http/responses.ts";
import { mark } from "../texts/language.ts";
import type { Hint } from "../texts/messages.ts";
import { OPS_REFERENCE } from "../texts/ops-reference.ts";
import { originOf } from "./authorize.ts";
import { opsRoute } from "./ops-route.ts";
import { PARTNER_EXAMPLE, partnerSchema, presentPartner, readSettings, settingsFields } from "./wire.ts";

const partnerPath = z.object({ id: z.string().max(64, "identifier") });

const FIRST_KEY = {
	label: "first key",
	scopes: DEFAULT_SCOPES,
	expiresAt: null,
	allowedCidrs: null,
};

const create = opsRoute({
	id: "createPartner",
	tag: "Partners",
	role: "operate",
	method: "post",
	path: "/partners",
	request: jsonBody(z.strictObject(settingsFields, "object").openapi("NewPartner")),
	success: {
		status: 201,
		schema: successBody(
			z.strictObject({ partner: partnerSchema, api_key: z.string(), webhook_secret: z.string() }),
		),
		example: {
			success: true,
			data: {
				partner: PARTNER_EXAMPLE,
				api_key: "gw_dev_7K3M9QXT2B4CH8WD5N6P7R8S9T0V1W2X",
				webhook_secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwPD8ILPZIo2I=",
			},
		},
	},
	reasons: [],
});

const list = opsRoute({
	id: "listPartners",
	tag: "Partners",
	role: "read",
	method: "get",
	path: "/partners",
	request: {},
	success: {
		status: 200,
		schema: successBody(z.strictObject({ partners: z.array(partnerSchema) })),
		example: { success: true, data: { partners: [PARTNER_EXAMPLE] } },
	},
	reasons: [],
});

const show = opsRoute({
	id: "showPartner",
	tag: "Partners",
	role: "read",
	method: "get",
	path: "/partners/{id}",
	request: { params: partnerPath },
	success: {
		status: 200,
		schema: successBody(z.strictObject({ partner: partnerSchema, keys: z.array(keySchema) })),
		example: { success: true, data: { partner: PARTNER_EXAMPLE, keys: [KEY_EXAMPLE] } },
	},
	reasons: [],
});

const change = opsRoute({
	id: "changePartner",
	tag: "Partners",
	role: "operate",
	method: "patch",
	path: "/partners/{id}",
	request: {
		params: partnerPath,
		...jsonBody(
			z
				.strictObject(
					{
						...settingsFields,
						name: settingsFields.name.optional(),
						suspended: z.boolean("boolean").optional(),
						webhook_enabled: z
							.boolean("boolean")
							.optional()
							.openapi({ description: mark(OPS_REFERENCE.webhookEnabled) }),
					},
					"object",
				)
				.openapi("PartnerChange"),
		),
	},
	success: {
		status: 200,
		schema: successBody(z.strictObject({ partner: partnerSchema })),
		example: { success: true, data: { partner: PARTNER_EXAMPLE } },
	},
	reasons: [],
});

/** Whether a webhook may go there, by the settings of this environment. */
function mayReceive(c: Context<AppEnv>, webhookUrl: string | null | undefined): boolean {
	return webhookUrl == null || judgeOutboundUrl(webhookUrl, platformIn(c).settings.outbound).ok;
}

export const opsPartners = createApi()
	.openapi(create, async (c) => {
		const { name, ...sent } = c.req.valid("json");
		if (!mayReceive(c, sent.webhook_url)) return invalidField(c, "webhook_url", "url");
		const defaults = { ...DEFAULT_SETTINGS, name, webhookOffAt: null, webhookOffBy: null };
		const set = completeChange(defaults, readSettings(sent));
		const problem = changeProblem(defaults, set);
		if (problem) return refusal(c, problem);
		const { apiKey, row } = await mintKey(platformIn(c), FIRST_KEY);
		const db = c.get("platform").db;
		const id = newId("pt");
		const origin = originOf(c);
		const { now } = origin;
		const webhook = await mintWebhookSecret(platformIn(c), id);
		const secret = rotateWebhookSecret(db, webhook.row, { now, overlapUntil: now });
		const partner = await createPartner(db, { ...defaults, ...set, id }, row, origin, secret);
		const data = { partner: presentPartner(partner), api_key: apiKey, webhook_secret: webhook.secret };
		return c.json({ success: true as const, data }, 201);
	})
	.openapi(list, async (c) => {
		const rows = await listPartners(c.get("platform").db);
		return c.json({ success: true as const, data: { partners: rows.map(presentPartner) } }, 200);
	})
	.openapi(show, async (c) => {
		const found = await findPartner(c.get("platform").db, c.req.valid("param").id);
		if (!found) return errorAnswer(c, "not_found");
		const data = { partner: presentPartner(found.partner), keys: found.keys.map(presentKey) };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(change, async (c) => {
		const { suspended, webhook_enabled, ...sent } = c.req.valid("json");
		if (!mayReceive(c, sent.webhook_url)) return invalidField(c, "webhook_url", "url");
		const origin = originOf(c);
		const { now } = origin;
		const db = c.get("platform").db;
		const partnerId = c.req.valid("param").id;
		const switchedOn = webhook_enabled ?? (typeof sent.webhook_url === "string" || undefined);
		let problem = null as SettingsProblem | null;
		const partner = await changePartner(
			db,
			partnerId,
			(row) => {
				if (isEmpty(c.req.valid("json"))) return null;
				const set = {
					...completeChange(row, readSettings(sent)),
					...(suspended !== undefined && { suspendedAt: suspended ? (row.suspendedAt ?? now) : null }),
					...(switchedOn === true && { webhookOffAt: null, webhookOffBy: null }),
					...(switchedOn === false && {
						webhookOffAt: row.webhookOffAt ?? now,
						webhookOffBy: "ops" as const,
					}),
				};
				problem = changeProblem(row, set);
				if (problem) return null;
				return {
					action: suspended === undefined ? "changed" : suspended ? "suspended" : "resumed",
					outcome: Object.keys(c.req.valid("json")).sort().join(" "),
					set,
					// A change of both: the webhook takes what has no delivery by e-mail of its own.
					alongside: [
						...(switchedOn ? [reopenWaiting(db, { ...WAITS_FOR_WEBHOOK, partnerId, now })] : []),
						...(sent.delivery_email ? [reopenWaiting(db, { ...WAITS_FOR_EMAIL, partnerId, now })] : []),
					],
				};
			},
			origin,
		);
		if (!partner) return errorAnswer(c, "not_found");
		if (problem) return refusal(c, problem);
		forgetKeys();
		return c.json({ success: true as const, data: { partner: presentPartner(partner) } }, 200);
	});

const WAITS_FOR_WEBHOOK = { channel: "webhook", eventOutcomes: WAITING_FOR_ENDPOINT } as const;
const WAITS_FOR_EMAIL = { channel: "email", eventOutcomes: [] } as const;

const REFUSALS = {
	sso_in_reduced_flow: { field: "require_sso", hint: "ssoInReducedFlow", code: "INVALID_VALUE" },
	delivery_address_required: {
		field: "delivery_email",
		hint: "deliveryAddress",
		code: "DELIVERY_ADDRESS_REQUIRED",
	},
} as const satisfies Record<SettingsProblem, { field: string; hint: Hint; code: FieldCode }>;

function refusal(c: Context<AppEnv>, problem: SettingsProblem) {
	const { field, hint, code } = REFUSALS[problem];
	return invalidField(c, field, hint, code);
}

function isEmpty(sent: object): boolean {
	return Object.keys(sent).length === 0;
}
