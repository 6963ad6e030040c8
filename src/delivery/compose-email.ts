/* Layout of every message: text and HTML, in Spanish and English one after the other. */

/** Input of the binding, which builds the message; no header is written by hand. */
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

/** One language's part of a message. */
export interface Part {
	language: "es" | "en";
	title: string;
	opening: string;
	rows: [label: string, value: string][];
	/** Paragraphs; an https address in one becomes a link. */
	closing: string[];
}

export interface Envelope {
	/** Id of the delivery. */
	id: string;
	from: string;
	to: string;
}

const SENDER_NAME = "Certificados digitales";

/** No character that could end a header or start another. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"\x00-\x1f\x7f]+@[^\s@<>()[\]\\,;:"\x00-\x1f\x7f]+$/;

/**
 * Text from holders and partners is in the body only.
 * @param subject - of our own words.
 * @returns null when the address is not safe in a header.
 */
export function composeMessage(
	{ id, from, to }: Envelope,
	subject: string,
	parts: readonly Part[],
	attachments: ComposedEmail["attachments"] = [],
): ComposedEmail | null {
	if (!ADDRESS.test(to)) return null;
	return {
		from: { email: from, name: SENDER_NAME },
		to,
		subject,
		headers: { "X-Delivery-Id": id },
		text: parts.map(partAsText).join("\n\n----------------------------------------\n\n"),
		html: `<!doctype html>\n<html lang="es"><head><meta charset="utf-8"><title>${parts[0]!.title}</title></head><body>\n${parts.map(partAsHtml).join("\n<hr>\n")}\n</body></html>\n`,
		attachments,
	};
}

function partAsText({ title, opening, rows, closing }: Part): string {
	const lines = rows.map(([label, value]) => `  ${label}: ${value}`);
	return [title, "", opening, "", ...lines, ...closing.flatMap((paragraph) => ["", paragraph])].join("\n");
}

function partAsHtml({ language, title, opening, rows, closing }: Part): string {
	const cells = rows.map(
		([label, value]) => `<tr><th align="left">${escapeHtml(label)}</th><td>${escapeHtml(value)}</td></tr>`,
	);
	const paragraphs = closing.map((paragraph) => `<p>${linked(escapeHtml(paragraph))}</p>`).join("");
	return `<div lang="${language}"><h1>${title}</h1><p>${escapeHtml(opening)}</p><table>${cells.join("")}</table>${paragraphs}</div>`;
}

function linked(escaped: string): string {
	return escaped.replaceAll(/https?:\/\/[\w./:-]*[\w/]/g, (url) => `<a href="${url}">${url}</a>`);
}

function escapeHtml(text: string): string {
	return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
