import type { Platform } from "../platform.ts";
import { failed, type Outcome } from "./outcome.ts";
import type { EmittedPayload } from "./webhook.ts";

/** Sends one message through the platform's `send_email` binding, which builds and signs it. */
export async function sendEmail(
	{ email, settings }: Pick<Platform, "email" | "settings">,
	{
		id,
		address,
		payload,
		timeoutMs,
	}: { id: string; address: string; payload: EmittedPayload; timeoutMs: number },
): Promise<Outcome> {
	const message = composeEmail(payload, {
		id,
		from: settings.emailFrom,
		to: address,
	});
	if (message === null) return { kind: "parked", label: "address_refused" };
	const { promise: deadline, resolve: expire } = Promise.withResolvers<Outcome>();
	const timer = setTimeout(() => expire(failed("timeout")), timeoutMs);
	try {
		return await Promise.race([email.send(message).then(delivered, refused), deadline]);
	} finally {
		clearTimeout(timer);
	}
}

function delivered(): Outcome {
	return { kind: "delivered" };
}

/** The platform's code, never its message, which may quote the address. */
function refused(error: unknown): Outcome {
	const code = String((error as { code?: unknown } | null)?.code ?? "");
	return failed(/^E_[A-Z_]{1,60}$/.test(code) ? `email ${code}` : "email refused");
}

/** What the binding builds the message from; no header is written by hand. */
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

/** No character that could end a header or start another. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"\x00-\x1f\x7f]+@[^\s@<>()[\]\\,;:"\x00-\x1f\x7f]+$/;
const FILE_NAME = /^[A-Za-z0-9._-]{1,100}$/;

/**
 * The message with an issued certificate, in Spanish and English, the PFX attached. It contains no PIN, and text from
 * holders or partners is in the body only.
 * @returns null when the address or the file name is not safe in a header.
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
			"El archivo se abre con el PIN de 4 dígitos que eligió el titular. Este correo no incluye el PIN, y nunca lo pediremos por correo electrónico.",
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
			"The file opens with the 4-digit PIN that the holder chose. This message does not contain the PIN, and we never ask for it by e-mail.",
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
