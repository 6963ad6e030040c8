import { readableTime } from "../texts/dates.ts";
import { HOLDER_TEXTS } from "../texts/holder-email.ts";
import { fill, type Language } from "../texts/language.ts";
import { type ComposedEmail, composeMessage, type Envelope, type Part } from "./compose-email.ts";

/** Notice of a certificate to its holder, stored sealed as JSON. No RUT: the address may be somebody else's. */
export interface HolderNotice {
	fullName: string;
	/** Name of the seller. */
	partner: string;
	/** Common name of the authority that signed it. */
	issuer: string;
	serial: string;
	/** Epoch milliseconds. */
	validTo: number;
	/** Days left, in a reminder. */
	days?: number;
}

/** @param publicUrl - where the page to revoke is. @returns null when the address is not safe in a header. */
export function composeHolderEmail(
	notice: HolderNotice,
	envelope: Envelope,
	publicUrl: string,
): ComposedEmail | null {
	const texts = notice.days === undefined ? HOLDER_TEXTS.issued : HOLDER_TEXTS.expiring;
	const values = { days: notice.days ?? 0, revocation: `${publicUrl}/revocar` };
	const part = (language: Language): Part => ({
		language,
		title: fill(texts.title, values)[language],
		opening: fill(texts.opening, { ...values, name: notice.fullName })[language],
		rows: [
			[HOLDER_TEXTS.seller[language], notice.partner],
			[HOLDER_TEXTS.issuer[language], notice.issuer],
			[HOLDER_TEXTS.serial[language], notice.serial],
			[HOLDER_TEXTS.validTo[language], readableTime(notice.validTo, language)],
		],
		closing: [...texts.closing, HOLDER_TEXTS.notYou].map((text) => fill(text, values)[language]),
	});
	const [es, en] = [part("es"), part("en")];
	return composeMessage(envelope, `${es.title} / ${en.title}`, [es, en]);
}

/** The one-time code of the page to revoke. @param until - when it ends, epoch milliseconds */
export function composeCodeEmail(code: string, until: number, envelope: Envelope): ComposedEmail | null {
	const texts = HOLDER_TEXTS.code;
	const part = (language: Language): Part => ({
		language,
		title: texts.title[language],
		opening: texts.opening[language],
		rows: [[texts.label[language], code]],
		closing: texts.closing.map((text) => fill(text, { until: readableTime(until, language) })[language]),
	});
	const [es, en] = [part("es"), part("en")];
	return composeMessage(envelope, `${es.title} / ${en.title}`, [es, en]);
}
