import { z } from "@hono/zod-openapi";
import { BULK_CALLS_PER_MINUTE, BULK_MAX, CALLS_PER_MINUTE, EMISSION_LIMIT } from "../../../domain/limits.ts";
import { createApi } from "../../../http/api.ts";
import { limitCalls } from "../../../http/rate-limit.ts";
import { jsonBody, successBody } from "../../../http/responses.ts";
import { findOwnPartner, partnerCaller } from "../../../services/caller.ts";
import { changeDeliveryEmail, changeReminders } from "../../../services/own-settings.ts";
import { DESK_REFERENCE } from "../../../texts/desk-reference.ts";
import { mark } from "../../../texts/language.ts";
import { CALLING_KEY_EXAMPLE, callingKeySchema, presentCallingKey } from "../../../wire/key.ts";
import {
	deliveryEmailChange,
	OWN_SETTINGS_EXAMPLE,
	ownDeliveryEmailSchema,
	ownSettingsSchema,
	presentOwnDeliveryEmail,
	presentOwnSettings,
	remindersChange,
} from "../../../wire/own-settings.ts";
import { answerRefusal, answerRefused } from "../../../wire/refusals.ts";
import { deskRoute } from "./desk-route.ts";

/** Limits that apply to every partner. */
export const LIMITS = {
	calls_per_minute: CALLS_PER_MINUTE,
	bulk_calls_per_minute: BULK_CALLS_PER_MINUTE,
	certificate_requests_per_minute: EMISSION_LIMIT,
	codes_per_batch: BULK_MAX,
};

const show = deskRoute({
	id: "showOwnSettings",
	tag: "Desk",
	scope: "read",
	method: "get",
	path: "/settings",
	limit: limitCalls,
	request: { query: z.strictObject({}) },
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				settings: ownSettingsSchema,
				key: callingKeySchema.openapi({ description: mark(DESK_REFERENCE.callingKey) }),
				limits: z.strictObject({
					calls_per_minute: z.int(),
					bulk_calls_per_minute: z.int(),
					certificate_requests_per_minute: z.int(),
					codes_per_batch: z.int(),
				}),
			}),
		),
		example: {
			success: true,
			data: {
				settings: OWN_SETTINGS_EXAMPLE,
				key: CALLING_KEY_EXAMPLE,
				limits: LIMITS,
			},
		},
	},
	reasons: [],
});

const email = deskRoute({
	id: "changeOwnDeliveryEmail",
	tag: "Desk",
	scope: "manage",
	method: "put",
	path: "/delivery_email",
	limit: limitCalls,
	request: jsonBody(deliveryEmailChange),
	success: {
		status: 200,
		schema: successBody(ownDeliveryEmailSchema),
		example: {
			success: true,
			data: { delivery_email: null, delivery_email_pending: "entregas@partner.example" },
		},
	},
	reasons: ["too_many_delivery_emails", "outcome_unknown"],
	invalid: { field: "delivery_email", hint: "email" },
});

const reminders = deskRoute({
	id: "changeOwnReminders",
	tag: "Desk",
	scope: "manage",
	method: "put",
	path: "/reminders",
	limit: limitCalls,
	request: jsonBody(remindersChange),
	success: {
		status: 200,
		schema: successBody(remindersChange),
		example: { success: true, data: { holder_reminders: true } },
	},
	reasons: ["not_found", "outcome_unknown"],
	invalid: { field: "holder_reminders", hint: "boolean" },
});

export const ownSettings = createApi()
	.openapi(show, async (c) => {
		const caller = partnerCaller(c);
		const data = {
			settings: presentOwnSettings(await findOwnPartner(caller), caller.at),
			key: presentCallingKey(c.get("owner")),
			limits: LIMITS,
		};
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(email, async (c) => {
		const caller = partnerCaller(c);
		const changed = await changeDeliveryEmail(caller, c.req.valid("json"));
		if (changed.kind === "refused") return answerRefused(c, changed);
		const data = presentOwnDeliveryEmail(changed.partner, caller.at);
		return c.json({ success: true as const, data }, 200);
	})
	.openapi(reminders, async (c) => {
		const sent = c.req.valid("json");
		const changed = await changeReminders(partnerCaller(c), sent);
		if (changed.kind === "refused") return answerRefusal(c, changed.reason);
		return c.json({ success: true as const, data: sent }, 200);
	});
