import type { ChangeOrigin } from "../db/audit-events.ts";
import { changePartner, type PartnerRow } from "../db/partners.ts";
import { reopenWaiting } from "../db/reopen-deliveries.ts";
import { judgeOutboundUrl } from "../delivery/outbound-url.ts";
import { WAITING_FOR_ENDPOINT } from "../delivery/outcome.ts";
import { changeProblem, completeChange, type SettingsProblem } from "../domain/change-settings.ts";
import type { Noticed } from "../domain/notices.ts";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import type { Platform } from "../platform.ts";
import { isByPartner, Notices } from "./tell-partner.ts";

/* A partner's settings, changed by ops or by the partner itself. */

export interface WantedSettings {
	/** Only what changes. */
	settings: Partial<PartnerSettings>;
	suspended?: boolean | undefined;
	/** Not given: a new address switches the webhook on. */
	webhookEnabled?: boolean | undefined;
	/** The fields that were sent, for the audit. */
	fields: readonly string[];
}

export type SettingsRefusal = SettingsProblem | "webhook_refused";

type SettingsResult =
	| { kind: "done"; partner: PartnerRow }
	| { kind: "not_found" }
	| { kind: "refused"; problem: SettingsRefusal };

const WAITS_FOR_WEBHOOK = { channel: "webhook", eventOutcomes: WAITING_FOR_ENDPOINT } as const;
const WAITS_FOR_EMAIL = { channel: "email", eventOutcomes: [] } as const;

/** Whether a webhook may go there, by the settings of this environment. */
export function mayReceive(
	{ settings }: Pick<Platform, "settings">,
	webhookUrl: string | null | undefined,
): boolean {
	return webhookUrl == null || judgeOutboundUrl(webhookUrl, settings.outbound).ok;
}

/** Changes settings as they are now; what waits for an address that is set or switched on is sent. */
export async function changeSettings(
	platform: Platform,
	{ partnerId, origin }: { partnerId: string; origin: ChangeOrigin },
	{ settings, suspended, webhookEnabled, fields }: WantedSettings,
): Promise<SettingsResult> {
	const { db } = platform;
	const { now } = origin;
	const { webhookUrl, deliveryEmail } = settings;
	if (!mayReceive(platform, webhookUrl)) return { kind: "refused", problem: "webhook_refused" };
	const notices = new Notices(platform, origin);
	let problem = null as SettingsProblem | null;
	const partner = await changePartner(
		db,
		partnerId,
		async (row) => {
			if (fields.length === 0) return null;
			// A partner does not switch on what ops switched off.
			const newAddress = webhookUrl != null && !(isByPartner(origin) && row.webhookOffBy === "ops");
			const switchedOn = webhookEnabled ?? (newAddress || undefined);
			const set = {
				...completeChange(row, settings),
				...(suspended !== undefined && { suspendedAt: suspended ? (row.suspendedAt ?? now) : null }),
				...(switchedOn === true && { webhookOffAt: null, webhookOffBy: null }),
				...(switchedOn === false && { webhookOffAt: row.webhookOffAt ?? now, webhookOffBy: "ops" as const }),
			};
			problem = changeProblem(row, set);
			if (problem) return null;
			const noticed: Noticed[] = [
				...(webhookUrl !== undefined && webhookUrl !== row.webhookUrl ? (["webhook"] as const) : []),
				...(deliveryEmail !== undefined && deliveryEmail !== row.deliveryEmail
					? (["delivery_email"] as const)
					: []),
			];
			return {
				action: suspended === undefined ? "changed" : suspended ? "suspended" : "resumed",
				outcome: [...fields].sort().join(" "),
				set,
				// A change of both: the webhook takes what has no delivery by e-mail of its own.
				alongside: [
					...(await notices.of(row, noticed, "changed")),
					...(switchedOn ? [reopenWaiting(db, { ...WAITS_FOR_WEBHOOK, partnerId, now })] : []),
					...(deliveryEmail ? [reopenWaiting(db, { ...WAITS_FOR_EMAIL, partnerId, now })] : []),
				],
			};
		},
		origin,
	);
	if (!partner) return { kind: "not_found" };
	if (problem) return { kind: "refused", problem };
	await notices.send();
	return { kind: "done", partner };
}
