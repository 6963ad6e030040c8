import type { ComposedEmail } from "../../src/delivery/compose-email.ts";
import { composeCertificateEmail, composeConfirmationEmail, EMAILS } from "../../src/delivery/emails.ts";
import {
	composeAnsweredEmail,
	composeCodeEmail,
	composeHolderEmail,
	composeRevokedEmail,
} from "../../src/delivery/holder-emails.ts";
import type { Language } from "../../src/texts/language.ts";

/* One e-mail of each kind, composed from texts that would do harm where they are not escaped. */

export const HOSTILE = `Pedro <b onclick="x()">Ñ</b> & 'Co'`;

export const PAYLOAD = {
	code: "7K3M-9QXT-2B4C-H8WD",
	reference: "order-1\r\nBcc: everyone@example.com",
	holder: { rut: "22222222-2", fullName: HOSTILE, email: "p@example.cl" },
	serial: "01A7F3C2B5D6E8F90123456789ABCDEF",
	validFrom: Date.UTC(2026, 10, 21, 12),
	validTo: Date.UTC(2027, 10, 21, 12),
	fileName: "certificado-22222222-2.pfx",
	pfx: "MAA=",
};

export const BRAND = {
	name: "Firma Demo",
	email: "ayuda@example.cl",
	phone: "+56 2 2345 6789",
	hours: { es: "de lunes a viernes de 9 a 18 horas", en: "Monday to Friday, 9 to 18" },
};

const PARTNER = { id: "pt_1", name: "Notaría Uno", language: "es", widgetLogo: null } as const;

export function envelope({
	to = "b@example.cl",
	...partner
}: {
	to?: string;
	[setting: string]: unknown;
} = {}) {
	return {
		id: "0f2c6f0c-9b1d-4a7e-8f2c-6f0c9b1d4a7e",
		from: "certificados@example.cl",
		to,
		publicUrl: "https://certificates.example",
		brand: BRAND,
		partner: { ...PARTNER, ...partner },
	};
}

/** Every kind, by its name. */
export function everyEmail(language: Language, at = envelope({ language })): Record<string, ComposedEmail> {
	const { serial, validFrom, validTo, holder } = PAYLOAD;
	const { fullName } = holder;
	const notice = { language, fullName, serial, issuer: "TEST Autoridad <1>", validFrom, validTo };
	const revoked = { language, fullName, serial, revokedAt: validFrom };
	const changed = { changed: "webhook", count: 2, action: "webhook_changed", keyId: "key_1", at: validFrom };
	const asked = { code: PAYLOAD.code, kind: "correct", askedAt: validFrom } as const;
	const answered = { language, fullName, ...asked, outcome: "done" } as const;
	const code = { code: "123456789012", until: validFrom, language };
	const link = `${at.publicUrl}/correo/pt_1.key_1.1.token?lang=${language}`;
	const composed = {
		certificate: composeCertificateEmail(PAYLOAD, at),
		issued: composeHolderEmail(notice, at),
		expiring: composeHolderEmail({ ...notice, days: 30 }, at),
		revoked: composeRevokedEmail({ ...revoked, by: "holder", reason: "keyCompromise" }, at),
		answered: composeAnsweredEmail(answered, at),
		code: composeCodeEmail(code, at),
		notice: EMAILS["settings.changed"](JSON.stringify(changed), at),
		confirmation: composeConfirmationEmail({ link, until: validFrom }, at),
	};
	return composed as Record<keyof typeof composed, ComposedEmail>;
}
