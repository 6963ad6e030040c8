import { findLastNotice, replaceNotice } from "../db/notices.ts";
import { insertDeliveries, type NewDelivery, type OutboxRow } from "../db/outbox.ts";
import type { PartnerDb, Statement } from "../db/query.ts";
import { NOTICE_EVERY_MS } from "../domain/limits.ts";
import { NOTICE } from "../domain/webhook-events.ts";
import type { Platform } from "../platform.ts";
import type { SettingsNotice } from "./emails.ts";
import { payloadPlace, recipientPlace } from "./outbox.ts";
import { webhookBody } from "./webhook.ts";

type Channel = OutboxRow["channel"];

/**
 * Tells of a change: at once, or within 15 minutes of a notice of its kind when they are over, together with all
 * changes until then. The notice goes to the previous address, which holds even if that changes again.
 */
export async function tellOfChange(
	{ db, sealer }: Pick<Platform, "sealer"> & { db: PartnerDb },
	change: Omit<SettingsNotice, "count">,
	to: { partnerId: string; channel: Channel; address: string },
): Promise<{ queued: { id: string; inMs: number }[]; statement: Statement }> {
	const { changed, at } = change;
	const { partnerId, channel, address } = to;
	const last = await findLastNotice(db, { partnerId, changed });
	if (last && isWaiting(last)) {
		const { payloadSealed } = last;
		const place = payloadPlace(last.id);
		const count = countOf(last.channel, await sealer.openText(payloadSealed, place)) + 1;
		const sealed = await sealer.seal(payloadOf(last.channel, { ...change, count }), place);
		return { queued: [], statement: replaceNotice(db, last, sealed) };
	}
	const id = crypto.randomUUID();
	const due = last ? Math.max(at, (last.lastAttemptAt ?? last.createdAt) + NOTICE_EVERY_MS) : at;
	const row: NewDelivery = {
		id,
		partnerId,
		code: "",
		event: NOTICE,
		noticed: changed,
		channel,
		toPartner: false,
		createdAt: at,
		nextAttemptAt: due,
		attempts: 0,
		recipientSealed: await sealer.seal(address, recipientPlace(id)),
		payloadSealed: await sealer.seal(payloadOf(channel, { ...change, count: 1 }), payloadPlace(id)),
	};
	return { queued: [{ id, inMs: due - at }], statement: insertDeliveries(db, [row]) };
}

function isWaiting(row: OutboxRow): row is OutboxRow & { payloadSealed: string } {
	const { attempts, payloadSealed, nextAttemptAt, createdAt } = row;
	return attempts === 0 && payloadSealed !== null && nextAttemptAt !== null && nextAttemptAt > createdAt;
}

function payloadOf(channel: Channel, notice: SettingsNotice): string {
	if (channel === "email") return JSON.stringify(notice);
	const { changed, action, keyId, at, count } = notice;
	return webhookBody(NOTICE, at, { changed, action, key_id: keyId, count });
}

function countOf(channel: Channel, payload: string): number {
	const notice = JSON.parse(payload);
	return channel === "email" ? notice.count : notice.data.count;
}
