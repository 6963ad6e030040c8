import type { NewDelivery } from "../db/outbox.ts";
import type { Noticed } from "../domain/notices.ts";
import { NOTICE } from "../domain/webhook-events.ts";
import type { Sealer } from "../secrets/sealing.ts";
import { readableTime } from "../texts/dates.ts";
import type { Language } from "../texts/language.ts";
import { NOTICE_TEXTS } from "../texts/notice-email.ts";
import { type ComposedEmail, composeMessage, type Envelope, type Part } from "./compose-email.ts";
import { payloadPlace, recipientPlace } from "./outbox.ts";
import { webhookBody } from "./webhook.ts";

/** Notice to a partner of a change of its settings, stored sealed as JSON. */
export interface SettingsNotice {
	partner: string;
	changed: Noticed;
	/** Action as in the audit. */
	action: string;
	/** The key that made the change. */
	keyId: string;
	/** Epoch milliseconds. */
	at: number;
}

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

/** @returns null when the address is not safe in a header. */
export function composeNoticeEmail(notice: SettingsNotice, envelope: Envelope): ComposedEmail | null {
	const part = (language: Language): Part => ({
		language,
		title: NOTICE_TEXTS.title[language],
		opening: NOTICE_TEXTS.opening[language],
		rows: [
			[NOTICE_TEXTS.partner[language], notice.partner],
			[NOTICE_TEXTS.what[language], NOTICE_TEXTS[notice.changed][language]],
			[NOTICE_TEXTS.when[language], readableTime(notice.at, language)],
			[NOTICE_TEXTS.key[language], notice.keyId],
		],
		closing: [NOTICE_TEXTS.notYou[language]],
	});
	const [es, en] = [part("es"), part("en")];
	return composeMessage(envelope, `${es.title} / ${en.title}`, [es, en]);
}
