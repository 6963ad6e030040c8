import type { NewDelivery } from "../db/outbox.ts";
import { NOTICE } from "../domain/webhook-events.ts";
import type { Sealer } from "../secrets/sealing.ts";
import type { SettingsNotice } from "./emails.ts";
import { payloadPlace, recipientPlace } from "./outbox.ts";
import { webhookBody } from "./webhook.ts";

/** Outbox row of a notice to the previous address, which holds even if that changes again. */
export async function noticeDelivery(
	sealer: Sealer,
	notice: SettingsNotice,
	to: { partnerId: string; channel: "webhook" | "email"; address: string },
): Promise<NewDelivery> {
	const { changed, action, keyId, at } = notice;
	const id = crypto.randomUUID();
	const { partnerId, channel, address } = to;
	const payload =
		channel === "webhook"
			? webhookBody(NOTICE, at, { changed, action, key_id: keyId })
			: JSON.stringify(notice);
	return {
		id,
		partnerId,
		code: "",
		event: NOTICE,
		channel,
		toPartner: false,
		createdAt: at,
		nextAttemptAt: at,
		attempts: 0,
		recipientSealed: await sealer.seal(address, recipientPlace(id)),
		payloadSealed: await sealer.seal(payload, payloadPlace(id)),
	};
}
