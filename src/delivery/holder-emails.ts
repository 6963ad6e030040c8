import type { RequestKind, RequestOutcome } from "../domain/holder-requests.ts";
import type { RevocationReason, Revoker } from "../domain/revocation-reason.ts";
import { ANSWERED_TEXTS } from "../texts/answered-email.ts";
import { readableTime } from "../texts/dates.ts";
import { REQUEST_KIND_TEXTS, REQUEST_OUTCOME_TEXTS } from "../texts/holder-data.ts";
import { HOLDER_TEXTS } from "../texts/holder-email.ts";
import { type Language, sayingIn } from "../texts/language.ts";
import { REVOKED_BY, REVOKED_FOR, REVOKED_TEXTS } from "../texts/revoked-email.ts";
import { RECEIPT } from "../texts/widget-receipt.ts";
import { type ComposedEmail, composeMessage, type Envelope } from "./compose-email.ts";

/* E-mails to holders, in the language that the holder chose, else in its partner's. */

/** Facts of every notice to a holder, stored sealed as JSON. No RUT: the address may be somebody else's. */
interface Notice {
	/** Language that the holder chose in the widget. */
	language: Language | null;
	fullName: string;
}

/** Notice of a certificate. */
export interface HolderNotice extends Notice {
	serial: string;
	/** Common name of the authority that signed it. */
	issuer: string;
	/** Epoch milliseconds. */
	validFrom: number;
	validTo: number;
	/** Days left, in a reminder. */
	days?: number;
}

/** Notice of a revocation. */
export interface RevokedNotice extends Notice {
	serial: string;
	/** Epoch milliseconds. */
	revokedAt: number;
	by: Revoker;
	reason: RevocationReason;
}

/** Notice of a request about the holder's data that was answered. */
export interface AnsweredNotice extends Notice {
	code: string;
	kind: RequestKind;
	/** Epoch milliseconds. */
	askedAt: number;
	outcome: RequestOutcome;
}

export function composeHolderEmail(notice: HolderNotice, envelope: Envelope): ComposedEmail | null {
	const { fullName: name, issuer, serial, validFrom, validTo, days } = notice;
	const { language, partner, say } = wordsOf(notice, envelope);
	const texts = days === undefined ? HOLDER_TEXTS.issued : HOLDER_TEXTS.expiring;
	const revocation = pageOf(envelope, "/revocar", language);
	const values = { name, partner, revocation, days: days ?? 0, until: readableTime(validTo, language) };
	return composeMessage(envelope, {
		language,
		toHolder: true,
		preheader: say(texts.preheader, values),
		title: say(texts.title, values),
		opening: say(texts.opening, values),
		rows: [
			[say(RECEIPT.seller), partner],
			[say(HOLDER_TEXTS.issuer), issuer],
			[say(RECEIPT.serial), serial],
			[say(RECEIPT.from), readableTime(validFrom, language)],
			[say(RECEIPT.until), values.until],
		],
		button: {
			label: say(days === undefined ? HOLDER_TEXTS.install : HOLDER_TEXTS.installNew),
			url: pageOf(envelope, "/instalar", language),
		},
		closing: [...texts.closing, HOLDER_TEXTS.notYou].map((text) => say(text, values)),
		why: texts.why,
	});
}

export function composeRevokedEmail(notice: RevokedNotice, envelope: Envelope): ComposedEmail | null {
	const { fullName: name, serial, revokedAt, by, reason } = notice;
	const { language, partner, say } = wordsOf(notice, envelope);
	const T = REVOKED_TEXTS;
	const at = readableTime(revokedAt, language);
	return composeMessage(envelope, {
		language,
		toHolder: true,
		preheader: say(T.preheader, { at }),
		title: say(T.title),
		opening: say(T.opening, { name }),
		rows: [
			[say(RECEIPT.seller), partner],
			[say(RECEIPT.serial), serial],
			[say(T.at), at],
			[say(T.by), say(REVOKED_BY[by], { partner })],
			[say(T.reason), say(REVOKED_FOR[reason])],
		],
		button: { label: say(T.button), url: pageOf(envelope, "/revocar", language) },
		closing: [T.used, by === "holder" ? T.notYou : T.whyNot].map((text) => say(text, { partner })),
		why: T.why,
	});
}

export function composeAnsweredEmail(notice: AnsweredNotice, envelope: Envelope): ComposedEmail | null {
	const { fullName: name, code, kind, askedAt, outcome } = notice;
	const { language, partner, say } = wordsOf(notice, envelope);
	const T = ANSWERED_TEXTS;
	return composeMessage(envelope, {
		language,
		toHolder: true,
		preheader: say(T.preheader),
		title: say(T.title),
		opening: say(T.opening, { name }),
		rows: [
			[say(RECEIPT.seller), partner],
			[say(T.code), code],
			[say(T.request), say(REQUEST_KIND_TEXTS[kind])],
			[say(T.asked), readableTime(askedAt, language)],
			[say(T.outcome), say(REQUEST_OUTCOME_TEXTS[outcome])],
		],
		button: { label: say(T.button), url: pageOf(envelope, "/revocar", language) },
		closing: [say(T.notYou)],
		why: T.why,
	});
}

/**
 * The one-time code of the page to revoke. Its link has the code in the fragment, which reaches no server, and only fills
 * in the page's form: mail scanners follow links.
 * @param until - when it ends, epoch milliseconds
 */
export function composeCodeEmail(
	{ code, until, language }: { code: string; until: number; language: Language },
	envelope: Envelope,
): ComposedEmail | null {
	const texts = HOLDER_TEXTS.code;
	const values = { until: readableTime(until, language) };
	const { say, partner } = wordsOf({ language }, envelope);
	return composeMessage(envelope, {
		language,
		toHolder: true,
		preheader: say(texts.preheader, values),
		title: say(texts.title),
		opening: say(texts.opening),
		code: code.replaceAll(/(\d{4})(?=\d)/g, "$1 "),
		rows: envelope.partner === null ? [] : [[say(RECEIPT.seller), partner]],
		button: { label: say(texts.button), url: `${pageOf(envelope, "/revocar/abrir", language)}#${code}` },
		closing: texts.closing.map((text) => say(text, values)),
		why: texts.why,
	});
}

function wordsOf(notice: Pick<Notice, "language">, { partner, brand }: Envelope) {
	const language = notice.language ?? partner?.language ?? "es";
	return { language, say: sayingIn(language), partner: partner?.name ?? brand.name };
}

function pageOf({ publicUrl }: Envelope, path: string, language: Language): string {
	return `${publicUrl}${path}?lang=${language}`;
}
