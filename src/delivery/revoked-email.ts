import type { RevocationReason, Revoker } from "../domain/revocation-reason.ts";
import { readableTime } from "../texts/dates.ts";
import { HOLDER_TEXTS } from "../texts/holder-email.ts";
import { fill, type Language } from "../texts/language.ts";
import { REVOKED_BY, REVOKED_FOR, REVOKED_TEXTS } from "../texts/revoked-email.ts";
import { type ComposedEmail, composeMessage, type Envelope, type Part } from "./compose-email.ts";

/** Notice of a revocation to the holder, stored sealed as JSON. No RUT: the address may be somebody else's. */
export interface RevokedNotice {
	fullName: string;
	/** Name of the seller. */
	partner: string;
	serial: string;
	/** Epoch milliseconds. */
	revokedAt: number;
	by: Revoker;
	reason: RevocationReason;
}

/** @returns null when the address is not safe in a header. */
export function composeRevokedEmail(notice: RevokedNotice, envelope: Envelope): ComposedEmail | null {
	const { fullName: name, partner, serial, revokedAt, by, reason } = notice;
	const { title, opening, at, used, notYou, whyNot } = REVOKED_TEXTS;
	const part = (language: Language): Part => ({
		language,
		title: title[language],
		opening: fill(opening, { name })[language],
		rows: [
			[HOLDER_TEXTS.seller[language], partner],
			[HOLDER_TEXTS.serial[language], serial],
			[at[language], readableTime(revokedAt, language)],
			[REVOKED_TEXTS.by[language], fill(REVOKED_BY[by], { partner })[language]],
			[REVOKED_TEXTS.reason[language], REVOKED_FOR[reason][language]],
		],
		closing: [used, by === "holder" ? notYou : whyNot].map((text) => text[language]),
	});
	const [es, en] = [part("es"), part("en")];
	return composeMessage(envelope, `${es.title} / ${en.title}`, [es, en]);
}
