import type { HolderMessage } from "../domain/holder-messages.ts";
import type { Noticed } from "../domain/notices.ts";
import type { RevocationReason, Revoker } from "../domain/revocation-reason.ts";
import type { NOTICE } from "../domain/webhook-events.ts";
import { readableTime } from "../texts/dates.ts";
import { DELIVERY_EMAIL } from "../texts/delivery-email.ts";
import { HOLDER_TEXTS } from "../texts/holder-email.ts";
import { fill, type Language } from "../texts/language.ts";
import { NOTICE_TEXTS } from "../texts/notice-email.ts";
import { REVOKED_BY, REVOKED_FOR, REVOKED_TEXTS } from "../texts/revoked-email.ts";
import { type ComposedEmail, composeMessage, type Envelope, type Part } from "./compose-email.ts";
import { asEmittedPayload } from "./payload.ts";
import type { EmittedPayload } from "./webhook.ts";

/* Every e-mail of the outbox, by the kind of its delivery, the holder's one-time code and the link of a delivery e-mail. */

type MailedKind = "certificate.emitted" | HolderMessage | typeof NOTICE;

/**
 * Composes an e-mail from its delivery's payload. @param publicUrl - base of the page to revoke.
 * @returns null when the address or a file's name is not safe in a header.
 */
type Compose = (payload: string, envelope: Envelope, publicUrl: string) => ComposedEmail | null;

const composeHolder: Compose = (payload, ...to) => composeHolderEmail(JSON.parse(payload), ...to);

export const EMAILS: Readonly<Record<MailedKind, Compose>> = {
	"certificate.emitted": (payload, envelope) => composeCertificateEmail(asEmittedPayload(payload), envelope),
	"holder.issued": composeHolder,
	"holder.expiring": composeHolder,
	"holder.revoked": (payload, envelope) => composeRevokedEmail(JSON.parse(payload), envelope),
	"settings.changed": (payload, envelope) => composeNoticeEmail(JSON.parse(payload), envelope),
};

const FILE_NAME = /^[A-Za-z0-9._-]{1,100}$/;

/**
 * The message to a partner with an issued certificate, the PFX attached. It contains no PIN.
 * @returns null when the address or the file name is not safe in a header.
 */
export function composeCertificateEmail(payload: EmittedPayload, envelope: Envelope): ComposedEmail | null {
	if (!FILE_NAME.test(payload.fileName)) return null;
	const subject = `Certificado digital emitido / Digital certificate issued: ${payload.code}`;
	return composeMessage(
		envelope,
		subject,
		[spanish(payload), english(payload)],
		[
			{
				disposition: "attachment",
				filename: payload.fileName,
				type: "application/x-pkcs12",
				content: Uint8Array.fromBase64(payload.pfx),
			},
		],
	);
}

function spanish(payload: EmittedPayload): Part {
	return {
		language: "es",
		title: "Certificado digital emitido",
		opening: "Adjuntamos el certificado digital (archivo PFX) de:",
		rows: rows(payload, "es", {
			holder: "Titular",
			code: "Código de compra",
			reference: "Referencia",
			serial: "Número de serie",
			from: "Válido desde",
			to: "Válido hasta",
		}),
		closing: [
			"El archivo se abre con el PIN de 4 dígitos que eligió el titular. Este correo no incluye el PIN, y nunca lo pediremos por correo electrónico.",
		],
	};
}

function english(payload: EmittedPayload): Part {
	return {
		language: "en",
		title: "Digital certificate issued",
		opening: "Attached is the digital certificate (PFX file) of:",
		rows: rows(payload, "en", {
			holder: "Holder",
			code: "Purchase code",
			reference: "Reference",
			serial: "Serial number",
			from: "Valid from",
			to: "Valid to",
		}),
		closing: [
			"The file opens with the 4-digit PIN that the holder chose. This message does not contain the PIN, and we never ask for it by e-mail.",
		],
	};
}

type Label = "holder" | "code" | "reference" | "serial" | "from" | "to";

function rows(payload: EmittedPayload, language: Language, label: Record<Label, string>): Part["rows"] {
	return [
		[label.holder, `${payload.holder.fullName}, RUT ${payload.holder.rut}`],
		[label.code, payload.code],
		...(payload.reference === null ? [] : [[label.reference, payload.reference] as [string, string]]),
		[label.serial, payload.serial],
		[label.from, readableTime(payload.validFrom, language)],
		[label.to, readableTime(payload.validTo, language)],
	];
}

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

export function composeHolderEmail(
	notice: HolderNotice,
	envelope: Envelope,
	publicUrl: string,
): ComposedEmail | null {
	const texts = notice.days === undefined ? HOLDER_TEXTS.issued : HOLDER_TEXTS.expiring;
	const values = { days: notice.days ?? 0, partner: notice.partner, revocation: `${publicUrl}/revocar` };
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
	return composeInBoth(envelope, part);
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
	return composeInBoth(envelope, part);
}

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

function composeRevokedEmail(notice: RevokedNotice, envelope: Envelope): ComposedEmail | null {
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
		closing: [used, by === "holder" ? notYou : whyNot].map((text) => fill(text, { partner })[language]),
	});
	return composeInBoth(envelope, part);
}

/** Notice to a partner of a change of its settings, stored sealed as JSON. */
export interface SettingsNotice {
	partner: string;
	changed: Noticed;
	/** Changes of that kind since the notice before; the rest is of the latest. */
	count: number;
	/** Action as in the audit. */
	action: string;
	/** The key that made the change. */
	keyId: string;
	/** Epoch milliseconds. */
	at: number;
}

function composeNoticeEmail(notice: SettingsNotice, envelope: Envelope): ComposedEmail | null {
	const part = (language: Language): Part => ({
		language,
		title: NOTICE_TEXTS.title[language],
		opening: NOTICE_TEXTS.opening[language],
		rows: [
			[NOTICE_TEXTS.partner[language], notice.partner],
			[NOTICE_TEXTS.what[language], NOTICE_TEXTS[notice.changed][language]],
			[NOTICE_TEXTS.count[language], String(notice.count)],
			[NOTICE_TEXTS.when[language], readableTime(notice.at, language)],
			[NOTICE_TEXTS.key[language], notice.keyId],
		],
		closing: [NOTICE_TEXTS.notYou[language]],
	});
	return composeInBoth(envelope, part);
}

/** The link by which the owner of a delivery e-mail confirms it. @param until - when it ends, epoch milliseconds */
export function composeConfirmationEmail(
	{ partner, link, until }: { partner: string; link: string; until: number },
	envelope: Envelope,
): ComposedEmail | null {
	const part = (language: Language): Part => ({
		language,
		title: DELIVERY_EMAIL.title[language],
		opening: DELIVERY_EMAIL.opening[language],
		rows: [
			[NOTICE_TEXTS.partner[language], partner],
			[DELIVERY_EMAIL.until[language], readableTime(until, language)],
		],
		closing: [fill(DELIVERY_EMAIL.open, { link }), DELIVERY_EMAIL.notYou].map((text) => text[language]),
	});
	return composeInBoth(envelope, part);
}

/** Composes a message whose subject is its title, Spanish first. */
function composeInBoth(envelope: Envelope, part: (language: Language) => Part): ComposedEmail | null {
	const [es, en] = [part("es"), part("en")];
	return composeMessage(envelope, `${es.title} / ${en.title}`, [es, en]);
}
