import { changePartner, type PartnerDecision, type PartnerRow } from "../db/partners.ts";
import { reopenWaiting } from "../db/reopen-deliveries.ts";
import { judgeOutboundUrl } from "../delivery/outbound-url.ts";
import { WAITING_FOR_ENDPOINT } from "../delivery/outcome.ts";
import { changeProblem, completeChange, type SettingsProblem } from "../domain/change-settings.ts";
import type { Noticed } from "../domain/notices.ts";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import type { Platform } from "../platform.ts";
import { originOf, type PartnerCaller } from "./caller.ts";
import { actingKey, Notices } from "./tell-partner.ts";

/* A partner's settings, changed by ops or by the partner itself. */

export interface WantedSettings {
	/** Changed settings only. */
	settings: Partial<PartnerSettings>;
	suspended?: boolean | undefined;
	/** Absent: a new address switches the webhook on. */
	webhookEnabled?: boolean | undefined;
	/** The fields that were sent, for the audit. */
	fields: readonly string[];
	/** Whether the partner as it is now is still to be changed; not given: it is. */
	still?: (row: PartnerRow) => boolean;
}

export type SettingsRefusal = SettingsProblem | "webhook_refused";

type SettingsResult =
	| { kind: "done"; partner: PartnerRow }
	| { kind: "refused"; reason: SettingsRefusal | "not_found" };

const WAITS_FOR_WEBHOOK = { channel: "webhook", eventOutcomes: WAITING_FOR_ENDPOINT } as const;
const WAITS_FOR_EMAIL = { channel: "email", eventOutcomes: [] } as const;

/** Whether this environment's settings allow webhooks to that address. */
export function mayReceive(
	{ settings }: Pick<Platform, "settings">,
	webhookUrl: string | null | undefined,
): boolean {
	return webhookUrl == null || judgeOutboundUrl(webhookUrl, settings.outbound).ok;
}

/** Changes settings as they are now; what waits for an address that is set or switched on is sent. */
export async function changeSettings(caller: PartnerCaller, wanted: WantedSettings): Promise<SettingsResult> {
	const { platform, db, partnerId } = caller;
	if (!mayReceive(platform, wanted.settings.webhookUrl))
		return { kind: "refused", reason: "webhook_refused" };
	const notices = new Notices(caller);
	const changed = await changePartner(
		db,
		partnerId,
		(row) => decide(caller, row, wanted, notices),
		originOf(caller),
	);
	if (!changed) return { kind: "refused", reason: "not_found" };
	if (changed.answer) return { kind: "refused", reason: changed.answer };
	await notices.send();
	return { kind: "done", partner: changed.partner };
}

/** @returns as its answer why the change is refused, or null. */
async function decide(
	caller: PartnerCaller,
	row: PartnerRow,
	{ settings, suspended, webhookEnabled, fields, still }: WantedSettings,
	notices: Notices,
): Promise<PartnerDecision<SettingsProblem | null>> {
	if (fields.length === 0 || still?.(row) === false) return { answer: null };
	const { db, at: now } = caller;
	const { webhookUrl, deliveryEmail } = settings;
	const whose = { partnerId: row.id, now };
	// A partner does not switch on what ops switched off.
	const newAddress = webhookUrl != null && !(actingKey(caller) !== null && row.webhookOffBy === "ops");
	const switchedOn = webhookEnabled ?? (newAddress || undefined);
	const set = {
		...completeChange(row, settings),
		...(deliveryEmail !== undefined && { deliveryEmailPending: null, deliveryEmailPendingUntil: null }),
		...(suspended !== undefined && { suspendedAt: suspended ? (row.suspendedAt ?? now) : null }),
		...(switchedOn === true && { webhookOffAt: null, webhookOffBy: null }),
		...(switchedOn === false && { webhookOffAt: row.webhookOffAt ?? now, webhookOffBy: "ops" as const }),
	};
	const problem = changeProblem(row, set);
	if (problem) return { answer: problem };
	const isOther = (name: "webhookUrl" | "deliveryEmail") =>
		settings[name] !== undefined && settings[name] !== row[name];
	const noticed: Noticed[] = [
		...(isOther("webhookUrl") ? (["webhook"] as const) : []),
		...(isOther("deliveryEmail") ? (["delivery_email"] as const) : []),
	];
	return {
		answer: null,
		change: {
			action: suspended === undefined ? "changed" : suspended ? "suspended" : "resumed",
			outcome: [...fields].sort().join(" "),
			set,
			// Both change: the webhook takes the deliveries that have no e-mail of their own.
			alongside: [
				...(await notices.of(row, noticed, "changed")),
				...(switchedOn ? [reopenWaiting(db, { ...WAITS_FOR_WEBHOOK, ...whose })] : []),
				...(deliveryEmail ? [reopenWaiting(db, { ...WAITS_FOR_EMAIL, ...whose })] : []),
			],
		},
	};
}
