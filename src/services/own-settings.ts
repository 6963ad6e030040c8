import type { z } from "@hono/zod-openapi";
import type { PartnerRow } from "../db/partners.ts";
import type { deliveryEmailChange, remindersChange, webhookChange } from "../wire/own-settings.ts";
import type { PartnerCaller } from "./caller.ts";
import { askOwner } from "./delivery-email.ts";
import { changeSettings, type SettingsRefusal, type WantedSettings } from "./settings.ts";

/* The settings that a partner changes itself, by API and in its console. */

export function changeWebhook(
	caller: PartnerCaller,
	{ webhook_url, webhook_events }: z.output<typeof webhookChange>,
) {
	const settings = { webhookUrl: webhook_url, webhookEvents: webhook_events };
	return changeOwn(caller, { settings, fields: ["webhook_url", "webhook_events"] });
}

/** Sets a delivery e-mail, or asks its owner for it, where it does not count at once. */
export async function changeDeliveryEmail(
	caller: PartnerCaller,
	{ delivery_email: deliveryEmail }: z.output<typeof deliveryEmailChange>,
) {
	const asked = deliveryEmail === null ? null : await askOwner(caller, deliveryEmail);
	return asked ?? changeOwn(caller, { settings: { deliveryEmail }, fields: ["delivery_email"] });
}

export function changeReminders(
	caller: PartnerCaller,
	{ holder_reminders }: z.output<typeof remindersChange>,
) {
	const settings = { holderReminders: holder_reminders };
	return changeOwn(caller, { settings, fields: ["holder_reminders"] });
}

/** The calling partner exists, since none is ever deleted. */
async function changeOwn(
	caller: PartnerCaller,
	wanted: WantedSettings,
): Promise<{ kind: "done"; partner: PartnerRow } | { kind: "refused"; reason: SettingsRefusal }> {
	const changed = await changeSettings(caller, wanted);
	if (changed.kind === "done") return changed;
	const { reason } = changed;
	if (reason === "not_found") throw new Error("the partner that calls is gone");
	return { kind: "refused", reason };
}
