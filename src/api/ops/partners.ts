import { z } from "@hono/zod-openapi";
import { isBound } from "../../directory.ts";
import { createApi, invalidField } from "../../http/api.ts";
import { errorAnswer } from "../../http/errors.ts";
import { jsonBody, successBody } from "../../http/responses.ts";
import { findAnyPartner, listAllPartners } from "../../services/all-partners.ts";
import { opsCaller, opsCallerFor } from "../../services/caller.ts";
import { openPartner } from "../../services/open-partner.ts";
import { changeSettings } from "../../services/settings.ts";
import { mark } from "../../texts/language.ts";
import { OPS_FIELDS } from "../../texts/ops-fields.ts";
import { databaseNumber, silentDatabases } from "../../wire/database.ts";
import { KEY_EXAMPLE, keySchema, presentKey } from "../../wire/key.ts";
import {
	PARTNER_EXAMPLE,
	partnerSchema,
	presentPartner,
	readSettings,
	settingsFields,
} from "../../wire/partner.ts";
import { answerRefusal } from "../../wire/refusals.ts";
import { opsRoute } from "./ops-route.ts";

const partnerPath = z.object({ id: z.string().max(64, "identifier") });

const create = opsRoute({
	id: "createPartner",
	tag: "Partners",
	role: "operate",
	method: "post",
	path: "/partners",
	request: jsonBody(
		z
			.strictObject({ ...settingsFields, database: databaseNumber("placeOf").optional() }, "object")
			.openapi("NewPartner"),
	),
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
		schema: successBody(z.strictObject({ partners: z.array(partnerSchema), silent: silentDatabases })),
		example: { success: true, data: { partners: [PARTNER_EXAMPLE], silent: [] } },
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
							.openapi({ description: mark(OPS_FIELDS.webhookEnabled) }),
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

export const opsPartners = createApi()
	.openapi(create, async (c) => {
		const { database, ...sent } = c.req.valid("json");
		if (database !== undefined && !isBound(c.get("platform"), database))
			return invalidField(c, "database", "database");
		const opened = await openPartner(opsCaller(c), readSettings(sent), database);
		if (opened.kind === "refused") return answerRefusal(c, opened.reason);
		const { partner, apiKey, webhookSecret } = opened;
		const data = { partner: presentPartner(partner), api_key: apiKey, webhook_secret: webhookSecret };
		return c.json({ success: true as const, data }, 201);
	})
	.openapi(list, async (c) => {
		const { partners, silent } = await listAllPartners(c.get("platform"));
		const data = { partners: partners.map(presentPartner), silent };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(show, async (c) => {
		const found = await findAnyPartner(c.get("platform"), c.req.valid("param").id);
		if (!found) return errorAnswer(c, "not_found");
		const data = { partner: presentPartner(found.partner), keys: found.keys.map(presentKey) };
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(change, async (c) => {
		const { suspended, webhook_enabled: webhookEnabled, ...sent } = c.req.valid("json");
		const wanted = { settings: readSettings(sent), suspended, webhookEnabled };
		const caller = await opsCallerFor(c, c.req.valid("param").id);
		if (!caller) return errorAnswer(c, "not_found");
		const fields = Object.keys(c.req.valid("json"));
		const changed = await changeSettings(caller, { ...wanted, fields });
		if (changed.kind === "refused") return answerRefusal(c, changed.reason);
		return c.json({ success: true as const, data: { partner: presentPartner(changed.partner) } }, 200);
	});
