import type { Handler } from "hono";
import { html } from "hono/html";
import { type Language, preferredLanguage } from "../../texts/language.ts";
import { REFERENCE_PAGE as T } from "../../texts/reference-page.ts";
import type { AppEnv } from "../app-env.ts";
import type { describeApi } from "../openapi.ts";
import { callSection } from "./call.ts";
import { type ApiDocument, callsOf } from "./document.ts";
import { type Html, prose } from "./prose.ts";
import { fieldTable, table } from "./tables.ts";
import { typeOf } from "./type-of.ts";

/** The reference for people, without script, from the document for programs; made once per isolate and language. */
export function referencePage(describe: ReturnType<typeof describeApi>): Handler<AppEnv> {
	const made = new Map<Language, string>();
	return async (c) => {
		const chosen = c.req.query("lang");
		const language =
			chosen === "es" || chosen === "en" ? chosen : preferredLanguage(c.req.header("accept-language"), "es");
		const document = () => describe(c.env.PUBLIC_URL, language) as unknown as ApiDocument;
		const page = made.get(language) ?? String(await render(document(), language));
		made.set(language, page);
		return c.html(page, 200, { "Content-Language": language, Vary: "Accept-Language" });
	};
}

export function render(document: ApiDocument, language: Language): Html {
	const other: Language = language === "es" ? "en" : "es";
	const { info, servers, tags, components } = document;
	const groups = tags.map((tag, index) => ({
		...tag,
		id: `part-${index + 1}`,
		calls: callsOf(document, tag.name),
	}));
	return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${T.title[language]}</title>
<link rel="stylesheet" href="/docs/guide.css">
<link rel="stylesheet" href="/docs/reference.css">
<link rel="alternate" hreflang="${other}" href="/docs/reference?lang=${other}">
</head>
<body>
<a class="skip" href="#content">${T.skip[language]}</a>
<header>
<a class="home" href="/docs/${language}/">${T.guide[language]}</a>
<a class="to-pages" href="#pages">${T.contents[language]}</a>
<a lang="${other}" hreflang="${other}" href="/docs/reference?lang=${other}">${T.other[language]}</a>
</header>
<div class="columns">
<main id="content" tabindex="-1">
<h1>${T.title[language]}</h1>
<p>${info.title}. ${T.server[language]} <code>${servers[0]?.url}</code>. ${T.forPrograms[language]} <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<h2 id="every-call">${T.introduction[language]}</h2>
${prose(info.description)}
${Object.values(components.securitySchemes).map(({ name, description }) => html`<p><code>${name}</code>: ${description}</p>`)}
${headerTable(document, language)}
${groups.map(({ name, id, description, calls }) => html`<h2 id="${id}">${name}</h2>${prose(description)}${calls.map((call) => callSection(document, call, language))}`)}
<h2 id="bodies">${T.schemas[language]}</h2>
<p>${T.schemasIntroduction[language]}</p>
${Object.entries(components.schemas).map(([name, schema]) => html`<section aria-labelledby="${name}"><h3 id="${name}">${name}</h3>${prose(schema.description)}${schema.properties ? fieldTable(name, schema, language) : html`<p>${typeOf(schema, language)}</p>`}</section>`)}
</main>
<nav id="pages" aria-label="${T.contents[language]}">
<ul>
<li><a href="#every-call">${T.introduction[language]}</a></li>
${groups.map(({ name, id, calls }) => html`<li><a href="#${id}">${name}</a><ul>${calls.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}</ul></li>`)}
<li><a href="#bodies">${T.schemas[language]}</a></li>
</ul>
</nav>
</div>
</body>
</html>
`;
}

function headerTable({ components }: ApiDocument, language: Language): Html {
	const rows = Object.entries(components.headers).map(([name, { description }]) => [
		html`<code id="${name}">${name}</code>`,
		html`${description}`,
	]);
	return table(T.headers[language], [T.name, T.meaning], rows, language);
}
