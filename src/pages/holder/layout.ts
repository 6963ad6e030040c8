import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { Context } from "hono";
import { html, raw } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../../http/app-env.ts";
import { HOLDER_PAGE } from "../../texts/holder-page.ts";
import type { Language, Text } from "../../texts/language.ts";

/** A piece of a page; what is put into it is escaped. */
export type Html = ReturnType<typeof html>;

const STYLE = `
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--line:#6b7280;--soft:#f3f4f6;--act:#1d4ed8;--on-act:#fff;--bad:#b42318;--good:#146c2e}
@media (prefers-color-scheme:dark){:root{--ink:#eceff3;--paper:#14171b;--line:#9aa3af;--soft:#22272e;--act:#93b4ff;--on-act:#0b1220;--bad:#ffb4a8;--good:#8fdca5}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif}
header,main{max-width:40rem;margin:0 auto;padding:1rem}
header{text-align:end}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 1rem}
a{color:var(--act)}
label,legend{display:block;font-weight:600}
.hint{font-weight:400}
fieldset{border:0;margin:0;padding:0}
.field{margin:0 0 1.25rem}
input:not([type=radio],[type=checkbox]),select{width:100%;min-height:2.75rem;padding:.5rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:.25rem}
[aria-invalid=true]{border:2px solid var(--bad)!important}
.wrong{color:var(--bad);font-weight:600;margin:.25rem 0}
.box{border:2px solid var(--good);padding:1rem;margin:0 0 1.25rem;border-radius:.25rem}
.choice{display:flex;gap:.75rem;align-items:flex-start;padding:.75rem;margin:0 0 .5rem;background:var(--soft);border-radius:.25rem;overflow-wrap:anywhere;font-weight:400}
.choice input{width:1.5rem;height:1.5rem;margin:0;flex:none}
.choice b{display:block}
button,.button{display:inline-block;min-height:2.75rem;padding:.5rem 1.25rem;font:inherit;font-weight:600;color:var(--on-act);background:var(--act);border:0;border-radius:.25rem;cursor:pointer}
.button{text-decoration:none}
button.plain{color:var(--act);background:none;padding-inline:0;text-decoration:underline}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
`;

/** Nothing but this style, this service's icon and forms to this service: no script, no frame around it. */
function policy(): string {
	const style = sha256(utf8ToBytes(STYLE)).toBase64();
	return `default-src 'none'; style-src 'sha256-${style}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
}

/** The address of a step; a language that was chosen stays chosen. */
export function addressOf(c: Context<AppEnv>, step: "" | "/codigo" | "/certificado" | "/fin"): string {
	const chosen = c.req.query("lang");
	return `/revocar${step}${chosen === "es" || chosen === "en" ? `?lang=${chosen}` : ""}`;
}

/** A whole page. @param title - also its heading */
export function page(
	c: Context<AppEnv>,
	status: ContentfulStatusCode,
	title: Text,
	content: Html | readonly Html[],
): Response | Promise<Response> {
	const language = c.get("language");
	const other: Language = language === "es" ? "en" : "es";
	c.header("Content-Security-Policy", policy());
	return c.html(
		html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title[language]}${title === HOLDER_PAGE.title ? "" : ` - ${HOLDER_PAGE.title[language]}`}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<header><a href="/revocar?lang=${other}" hreflang="${other}" lang="${other}">${HOLDER_PAGE.other[language]}</a></header>
<main>
<h1>${title[language]}</h1>
${content}
</main>
</body>
</html>
`,
		status,
	);
}
