import { z } from "@hono/zod-openapi";
import type { PartnerRow } from "../db/partners.ts";
import { pendingEmail } from "../domain/delivery-address.ts";
import { email } from "../http/holder-fields.ts";
import { DESK_REFERENCE } from "../texts/desk-reference.ts";
import { mark } from "../texts/language.ts";
import { PARTNER_EXAMPLE, partnerSchema, presentPartner, settingsFields } from "./partner.ts";
import { view } from "./view.ts";

/* A partner's settings as it sees them itself, and those that it can change. */

export const ownSettingsSchema = partnerSchema
	.omit({ suspended: true, created_at: true, updated_at: true })
	.extend({
		delivery_email_pending: z
			.string()
			.nullable()
			.openapi({ description: mark(DESK_REFERENCE.pendingEmail) }),
	})
	.openapi("OwnSettings");

export const OWN_SETTINGS_EXAMPLE = view(ownSettingsSchema, {
	...PARTNER_EXAMPLE,
	delivery_email_pending: null,
});

export function presentOwnSettings(row: PartnerRow, now: number): z.input<typeof ownSettingsSchema> {
	return view(ownSettingsSchema, {
		...presentPartner(row),
		delivery_email_pending: pendingEmail(row, now),
	});
}

export const ownWebhookSchema = partnerSchema
	.pick({ webhook_url: true, webhook_events: true, webhook_off_since: true, webhook_off_by: true })
	.openapi("OwnWebhook");

export const OWN_WEBHOOK_EXAMPLE: z.input<typeof ownWebhookSchema> = {
	...view(ownWebhookSchema, PARTNER_EXAMPLE),
	webhook_url: "https://partner.example/webhooks/certificates",
};

export function presentOwnWebhook(row: PartnerRow): z.input<typeof ownWebhookSchema> {
	return view(ownWebhookSchema, presentPartner(row));
}

export const webhookChange = z
	.strictObject(
		{
			webhook_url: settingsFields.webhook_url.unwrap(),
			webhook_events: settingsFields.webhook_events
				.unwrap()
				.openapi({ example: PARTNER_EXAMPLE.webhook_events }),
		},
		"object",
	)
	.openapi("OwnWebhookChange");

export const deliveryEmailChange = z
	.strictObject(
		{ delivery_email: email.nullable().openapi({ example: "entregas@partner.example" }) },
		"object",
	)
	.openapi("OwnDeliveryEmailChange");

export const ownDeliveryEmailSchema = ownSettingsSchema
	.pick({ delivery_email: true, delivery_email_pending: true })
	.openapi("OwnDeliveryEmail");

export function presentOwnDeliveryEmail(
	row: PartnerRow,
	now: number,
): z.input<typeof ownDeliveryEmailSchema> {
	return view(ownDeliveryEmailSchema, presentOwnSettings(row, now));
}

export const remindersChange = z
	.strictObject({ holder_reminders: z.boolean("boolean").openapi({ example: true }) }, "object")
	.openapi("OwnReminders");
