import type { HolderMessage } from "../domain/holder-messages.ts";
import type { Noticed } from "../domain/notices.ts";
import type { NOTICE } from "../domain/webhook-events.ts";
import { CERTIFICATE_EMAIL } from "../texts/certificate-email.ts";
import { readableTime } from "../texts/dates.ts";
import { DELIVERY_EMAIL } from "../texts/delivery-email.ts";
import { sayingIn } from "../texts/language.ts";
import { NOTICE_TEXTS } from "../texts/notice-email.ts";
import { RECEIPT } from "../texts/widget-receipt.ts";
import { type ComposedEmail, composeMessage, type EmailPartner, type Envelope } from "./compose-email.ts";
import { composeAnsweredEmail, composeHolderEmail, composeRevokedEmail } from "./holder-emails.ts";
import { asEmittedPayload } from "./payload.ts";
import type { EmittedPayload } from "./webhook.ts";

/* Every e-mail of the outbox, by the kind of its delivery; those to partners, in the partner's language. */

type MailedKind = "certificate.emitted" | HolderMessage | typeof NOTICE;

/** An envelope of a partner's delivery. */
type Addressed = Envelope & { partner: EmailPartner };

/**
 * Composes an e-mail from its delivery's payload.
 * @returns null when the address or a file's name is not safe in a header.
 */
type Compose = (payload: string, envelope: Addressed) => ComposedEmail | null;

const composeHolder: Compose = (payload, envelope) => composeHolderEmail(JSON.parse(payload), envelope);

export const EMAILS: Readonly<Record<MailedKind, Compose>> = {
	"certificate.emitted": (payload, envelope) => composeCertificateEmail(asEmittedPayload(payload), envelope),
	"holder.issued": composeHolder,
	"holder.expiring": composeHolder,
	"holder.revoked": (payload, envelope) => composeRevokedEmail(JSON.parse(payload), envelope),
	"holder.answered": (payload, envelope) => composeAnsweredEmail(JSON.parse(payload), envelope),
	"settings.changed": (payload, envelope) => composeNoticeEmail(JSON.parse(payload), envelope),
};

const FILE_NAME = /^[A-Za-z0-9._-]{1,100}$/;

/**
 * The message to a partner with an issued certificate, the PFX attached. It contains no PIN.
 * @returns null when the address or the file name is not safe in a header.
 */
export function composeCertificateEmail(payload: EmittedPayload, envelope: Addressed): ComposedEmail | null {
	if (!FILE_NAME.test(payload.fileName)) return null;
	const T = CERTIFICATE_EMAIL;
	const { code, reference, holder, serial, validFrom, validTo } = payload;
	const { language } = envelope.partner;
	const say = sayingIn(language);
	const values = { holder: holder.fullName };
	return composeMessage(envelope, {
		language,
		toHolder: false,
		subject: `${say(T.title)}: ${code}`,
		preheader: say(T.preheader, values),
		title: say(T.title),
		opening: say(T.opening, values),
		rows: [
			[say(T.holder), `${holder.fullName}, RUT ${holder.rut}`],
			[say(T.code), code],
			...(reference === null ? [] : [[say(T.reference), reference] as const]),
			[say(RECEIPT.serial), serial],
			[say(RECEIPT.from), readableTime(validFrom, language)],
			[say(RECEIPT.until), readableTime(validTo, language)],
		],
		button: { label: say(T.button), url: `${envelope.publicUrl}/console/codes/${code}` },
		closing: [say(T.pin)],
		why: T.why,
		attachments: [
			{
				disposition: "attachment",
				filename: payload.fileName,
				type: "application/x-pkcs12",
				content: Uint8Array.fromBase64(payload.pfx),
			},
		],
	});
}

/** Notice to a partner of a change of its settings, stored sealed as JSON. */
export interface SettingsNotice {
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

const CHANGED_ON: Record<Noticed, string> = {
	keys: "/console/keys",
	webhook: "/console/webhook",
	delivery_email: "/console/webhook",
};

function composeNoticeEmail(notice: SettingsNotice, envelope: Addressed): ComposedEmail | null {
	const { changed, count, at, keyId } = notice;
	const T = NOTICE_TEXTS;
	const { language } = envelope.partner;
	const say = sayingIn(language);
	const what = say(T[changed]);
	return composeMessage(envelope, {
		language,
		toHolder: false,
		preheader: say(T.preheader, { what }),
		title: say(T.title),
		opening: say(T.opening),
		rows: [
			[say(T.partner), envelope.partner.name],
			[say(T.what), what],
			[say(T.count), String(count)],
			[say(T.when), readableTime(at, language)],
			[say(T.key), keyId],
		],
		button: { label: say(T.button), url: `${envelope.publicUrl}${CHANGED_ON[changed]}` },
		closing: [say(T.notYou)],
		why: T.why,
	});
}

/** The link by which the owner of a delivery e-mail confirms it. @param until - when it ends, epoch milliseconds */
export function composeConfirmationEmail(
	{ link, until }: { link: string; until: number },
	envelope: Addressed,
): ComposedEmail | null {
	const T = DELIVERY_EMAIL;
	const { language } = envelope.partner;
	const say = sayingIn(language);
	const { name: partner } = envelope.partner;
	const at = readableTime(until, language);
	return composeMessage(envelope, {
		language,
		toHolder: false,
		preheader: say(T.preheader, { partner, until: at }),
		title: say(T.title),
		opening: say(T.opening),
		rows: [
			[say(NOTICE_TEXTS.partner), partner],
			[say(T.until), at],
		],
		button: { label: say(T.confirm), url: link },
		closing: [say(T.open), say(T.notYou)],
		why: T.why,
	});
}
