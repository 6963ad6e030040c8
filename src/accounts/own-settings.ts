import { z } from "@hono/zod-openapi";
import type { ChangeOrigin } from "../db/audit-events.ts";
import { email } from "../http/fields.ts";
import type { Platform } from "../platform.ts";
import { PARTNER_EXAMPLE, settingsFields } from "./partner-wire.ts";
import { changeSettings } from "./settings.ts";

/* The settings that a partner changes itself, by API and in its console. */

interface OwnCall {
	partnerId: string;
	origin: ChangeOrigin;
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

export function changeWebhook(
	platform: Platform,
	call: OwnCall,
	{ webhook_url, webhook_events }: z.output<typeof webhookChange>,
) {
	const settings = { webhookUrl: webhook_url, webhookEvents: webhook_events };
	return changeSettings(platform, call, { settings, fields: ["webhook_url", "webhook_events"] });
}

export const deliveryEmailChange = z
	.strictObject(
		{ delivery_email: email.nullable().openapi({ example: "entregas@partner.example" }) },
		"object",
	)
	.openapi("OwnDeliveryEmail");

export function changeDeliveryEmail(
	platform: Platform,
	call: OwnCall,
	{ delivery_email }: z.output<typeof deliveryEmailChange>,
) {
	const settings = { deliveryEmail: delivery_email };
	return changeSettings(platform, call, { settings, fields: ["delivery_email"] });
}

export const remindersChange = z
	.strictObject({ holder_reminders: z.boolean("boolean").openapi({ example: true }) }, "object")
	.openapi("OwnReminders");

export function changeReminders(
	platform: Platform,
	call: OwnCall,
	{ holder_reminders }: z.output<typeof remindersChange>,
) {
	const settings = { holderReminders: holder_reminders };
	return changeSettings(platform, call, { settings, fields: ["holder_reminders"] });
}
