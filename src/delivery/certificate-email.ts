import { readableTime } from "../texts/dates.ts";
import type { Language } from "../texts/language.ts";
import { type ComposedEmail, composeMessage, type Envelope, type Part } from "./compose-email.ts";
import type { EmittedPayload } from "./webhook.ts";

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
