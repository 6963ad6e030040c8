import type { EmittedPayload } from "./webhook-bodies.ts";

/** What the platform's `send_email` binding builds the message from; no header is written by hand. */
export interface ComposedEmail {
	from: { email: string; name: string };
	to: string;
	subject: string;
	headers: Record<string, string>;
	text: string;
	html: string;
	attachments: {
		disposition: "attachment";
		filename: string;
		type: string;
		content: Uint8Array;
	}[];
}

const SENDER_NAME = "Certificados digitales";

/** What a header may hold of an address: nothing that could end it, or begin another. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"\x00-\x1f\x7f]+@[^\s@<>()[\]\\,;:"\x00-\x1f\x7f]+$/;
const FILE_NAME = /^[A-Za-z0-9._-]{1,100}$/;

/**
 * The message that brings an issued certificate, in Spanish and English, with the PFX attached. It holds no PIN, and
 * what a person or a partner had a hand in stands in the body only.
 * @returns null when address or file name could not stand in a header.
 */
export function composeEmail(
	payload: EmittedPayload,
	envelope: { id: string; from: string; to: string },
): ComposedEmail | null {
	if (!ADDRESS.test(envelope.to) || !FILE_NAME.test(payload.fileName)) return null;
	const parts = [spanish(payload), english(payload)];
	return {
		from: { email: envelope.from, name: SENDER_NAME },
		to: envelope.to,
		subject: `Certificado digital emitido / Digital certificate issued: ${payload.code}`,
		headers: { "X-Delivery-Id": envelope.id },
		text: parts.map(partAsText).join("\n\n----------------------------------------\n\n"),
		html: `<!doctype html>\n<html lang="es"><head><meta charset="utf-8"><title>Certificado digital emitido</title></head><body>\n${parts.map(partAsHtml).join("\n<hr>\n")}\n</body></html>\n`,
		attachments: [
			{
				disposition: "attachment",
				filename: payload.fileName,
				type: "application/x-pkcs12",
				content: Uint8Array.fromBase64(payload.pfx),
			},
		],
	};
}

interface Part {
	language: "es" | "en";
	title: string;
	opening: string;
	rows: [label: string, value: string][];
	closing: string;
}

function spanish(payload: EmittedPayload): Part {
	return {
		language: "es",
		title: "Certificado digital emitido",
		opening: "Adjuntamos el certificado digital (archivo PFX) de:",
		rows: rows(payload, {
			holder: "Titular",
			code: "Código de compra",
			reference: "Referencia",
			serial: "Número de serie",
			from: "Válido desde",
			to: "Válido hasta",
		}),
		closing:
			"El archivo se abre con el PIN de 4 dígitos que eligió el titular. Nadie se lo pedirá por correo, y este mensaje no lo contiene.",
	};
}

function english(payload: EmittedPayload): Part {
	return {
		language: "en",
		title: "Digital certificate issued",
		opening: "Attached is the digital certificate (PFX file) of:",
		rows: rows(payload, {
			holder: "Holder",
			code: "Purchase code",
			reference: "Reference",
			serial: "Serial number",
			from: "Valid from",
			to: "Valid to",
		}),
		closing:
			"The file opens with the 4-digit PIN that the holder chose. Nobody will ask for it by e-mail, and this message does not contain it.",
	};
}

type Label = "holder" | "code" | "reference" | "serial" | "from" | "to";

function rows(payload: EmittedPayload, label: Record<Label, string>): Part["rows"] {
	return [
		[label.holder, `${payload.holder.fullName}, RUT ${payload.holder.rut}`],
		[label.code, payload.code],
		...(payload.reference === null ? [] : [[label.reference, payload.reference] as [string, string]]),
		[label.serial, payload.serial],
		[label.from, new Date(payload.validFrom).toISOString()],
		[label.to, new Date(payload.validTo).toISOString()],
	];
}

function partAsText({ title, opening, rows, closing }: Part): string {
	const lines = rows.map(([label, value]) => `  ${label}: ${value}`);
	return [title, "", opening, "", ...lines, "", closing].join("\n");
}

function partAsHtml({ language, title, opening, rows, closing }: Part): string {
	const cells = rows.map(
		([label, value]) => `<tr><th align="left">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
	);
	return `<div lang="${language}"><h1>${title}</h1><p>${opening}</p><table>${cells.join("")}</table><p>${closing}</p></div>`;
}

function escapeHtml(text: string): string {
	return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
