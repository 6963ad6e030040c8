import { html, raw } from "hono/html";
import type { Language } from "../texts/language.ts";

/*
 * The one template of all e-mails, as HTML and as text. Mail programs know tables and inlined styles; those that know
 * more get the dark colours and the narrow layout. Everything that is put into it is escaped.
 */

/** Content of an e-mail, in one language. */
export interface Letter {
	language: Language;
	/** Text shown after the subject in a list of messages. */
	preheader: string;
	title: string;
	opening: string;
	/** Code, shown large, to be typed. */
	code?: string;
	rows: readonly (readonly [label: string, value: string])[];
	button: { label: string; url: string } | null;
	/** Paragraphs; an address in one becomes a link. */
	closing: readonly string[];
}

/** Marks at the head and the foot. */
export interface Marks {
	/** Address of the seller's, or of ours. */
	logo: string;
	/** Name of the seller, or ours. */
	name: string;
	/** Sender, and how to reach it. */
	who: string;
	/** Reason why the reader gets it. */
	why: string;
}

const FONT = "font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif";
const INK = `${FONT};color:#171b21;font-size:16px;line-height:24px`;
const QUIET = `${FONT};color:#56606d;font-size:14px;line-height:20px`;
const S = {
	body: "margin:0;padding:0;background:#f6f7f9;-webkit-text-size-adjust:100%",
	hidden: "display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden",
	page: "background:#f6f7f9;width:100%",
	letter: "width:100%;max-width:600px",
	card: "background:#ffffff;border:1px solid #e1e5ea;border-radius:8px;padding:32px",
	logo: "display:block;height:40px;width:auto;max-width:180px;border-radius:6px",
	from: `${INK};font-weight:600;padding:0 0 0 12px;overflow-wrap:anywhere`,
	title: `${FONT};color:#171b21;margin:0 0 16px;font-size:24px;line-height:30px;font-weight:700`,
	text: `${INK};margin:0 0 16px;overflow-wrap:anywhere`,
	code: `${FONT};color:#171b21;margin:0 0 16px;padding:16px;background:#f6f7f9;border-radius:6px;font-size:26px;line-height:32px;font-weight:700;letter-spacing:2px;text-align:center`,
	rows: "width:100%;border-collapse:collapse;margin:0 0 24px",
	name: `${QUIET};text-align:left;vertical-align:top;font-weight:400;padding:10px 16px 10px 0;border-top:1px solid #e1e5ea;width:30%`,
	value: `${INK};vertical-align:top;padding:10px 0;border-top:1px solid #e1e5ea;overflow-wrap:anywhere;word-break:break-word`,
	buttonCell: "border-radius:6px;background:#3451d1",
	button: `${FONT};display:inline-block;padding:13px 24px;border-radius:6px;color:#ffffff;font-size:16px;line-height:22px;font-weight:600;text-decoration:none`,
	link: "color:#3451d1;overflow-wrap:anywhere",
	foot: `${QUIET};margin:0 0 8px`,
};

/** Colours of the dark scheme, and the layout of windows narrower than the letter. */
const SHEET = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
body,.page{background:#0e1115!important}
.card{background:#15191f!important;border-color:#2a3039!important}
.ink{color:#e8ebf0!important}
.quiet{color:#a3acb8!important}
.line{border-color:#2a3039!important}
.code{background:#1d222a!important}
.press{background:#93aaff!important}
.press a{color:#0b1024!important}
.link{color:#93aaff!important}
}
@media (max-width:620px){
.card{padding:24px 16px!important}
.rows th,.rows td{display:block!important;width:auto!important;padding:8px 0 0!important}
.rows td{border-top:0!important;padding:0 0 8px!important}
.code{font-size:22px!important;letter-spacing:1px!important}
.wide{width:100%!important}
.press a{display:block!important;text-align:center!important}
}`;

/** Keeps what follows out of the line under the subject. */
const FILLER = "\u034f\u200c\u00a0".repeat(60);

export function asHtml(letter: Letter, { logo, name, who, why }: Marks): string {
	const { language, preheader, title, opening, code, rows, button, closing } = letter;
	const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${raw(SHEET)}</style>
</head>
<body style="${S.body}">
<div role="main" lang="${language}">
<div style="${S.hidden}">${preheader}${FILLER}</div>
<table role="presentation" class="page" cellpadding="0" cellspacing="0" border="0" style="${S.page}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="${S.letter}">
<tr><td style="padding:0 8px 16px"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td><img src="${logo}" alt="" height="40" style="${S.logo}"></td><td class="ink" style="${S.from}">${name}</td></tr></table></td></tr>
<tr><td class="card" style="${S.card}">
<h1 class="ink" style="${S.title}">${title}</h1>
<p class="ink" style="${S.text}">${opening}</p>
${code === undefined ? "" : html`<p class="code ink" style="${S.code}">${code}</p>`}
${
	rows.length === 0
		? ""
		: html`<table class="rows" cellpadding="0" cellspacing="0" border="0" style="${S.rows}">${rows.map(
				([name, value]) =>
					html`<tr><th scope="row" class="quiet line" style="${S.name}">${name}</th><td class="ink line" style="${S.value}">${value}</td></tr>`,
			)}</table>`
}
${
	button === null
		? ""
		: html`<table role="presentation" class="wide" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px"><tr><td class="press" style="${S.buttonCell}"><a href="${button.url}" style="${S.button}">${button.label}</a></td></tr></table>`
}
${closing.map((paragraph) => html`<p class="ink" style="${S.text}">${linked(paragraph)}</p>`)}
</td></tr>
<tr><td style="padding:16px 8px 0"><p class="quiet" style="${S.foot}">${linked(who)}</p><p class="quiet" style="${S.foot}">${why}</p></td></tr>
</table>
</td></tr></table>
</div>
</body>
</html>
`;
	return String(page);
}

export function asText({ title, opening, code, rows, button, closing }: Letter, { who, why }: Marks): string {
	const parts = [
		title,
		opening,
		...(code === undefined ? [] : [code]),
		...(rows.length === 0 ? [] : [rows.map(([name, value]) => `${name}: ${value}`).join("\n")]),
		...(button === null ? [] : [`${button.label}:\n${button.url}`]),
		...closing,
		// RFC 3676 §4.3: what follows is the signature.
		`-- \n${who}\n${why}`,
	];
	return `${parts.join("\n\n")}\n`;
}

/** Splits at addresses, which are at the odd places. */
const ADDRESSES = /(https?:\/\/[\w./:?=&#-]*[\w/])/;

function linked(text: string) {
	return text
		.split(ADDRESSES)
		.map((part, i) => (i % 2 ? html`<a class="link" href="${part}" style="${S.link}">${part}</a>` : part));
}
