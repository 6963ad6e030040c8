import { html } from "hono/html";
import { describePartners } from "../../../src/sandbox/partner-api.ts";
import type { Language } from "../../../src/texts/language.ts";
import { readWhatToDo } from "../errors-table.ts";
import type { Facts } from "../facts.ts";
import type { MenuGroup, ServedPage } from "../layout.ts";
import { markdownOf } from "../render-page.ts";
import { WORDS } from "../words.ts";
import { callPage } from "./call.ts";
import { type ApiDocument, callsOf } from "./document.ts";
import { type Html, prose } from "./prose.ts";
import { fieldTable, table } from "./tables.ts";
import { REFERENCE_WORDS as T } from "./words.ts";

/* The reference for people, from the document for programs of local and dev, which has the most calls: a page a call. */

export async function referencePages(language: Language, facts: Facts): Promise<ServedPage[]> {
	const document = describePartners(facts.prod, language) as unknown as ApiDocument;
	const whatToDo = await readWhatToDo(language);
	const markdown = markdownOf(language);
	const inHtml = (status: string, name: string) => markdown.parseInline(whatToDo(status, name)) as string;
	const menu = menuOf(document, language);
	const calls = document.tags.flatMap(({ name }) => callsOf(document, name));
	const index = {
		title: T.title[language],
		address: addressOf(language, ""),
		body: indexPage(document, language, facts),
	};
	const pages = calls.map((call) => ({
		title: call.operation.summary,
		address: addressOf(language, call.operation.operationId),
		body: callPage(document, call, language, inHtml),
	}));
	return [index, ...pages].map((page) => ({ ...page, body: String(page.body), language, menu }));
}

function addressOf(language: Language, id: string): string {
	return `/docs/${language}/reference/${id}`;
}

function menuOf(document: ApiDocument, language: Language): MenuGroup[] {
	const top = [
		{ address: `/docs/${language}/`, title: WORDS[language].guide },
		{ address: addressOf(language, ""), title: T.introduction[language] },
	];
	const groups = document.tags.map(({ name }) => ({
		title: name,
		pages: callsOf(document, name).map(({ operation }) => ({
			address: addressOf(language, operation.operationId),
			title: operation.summary,
		})),
	}));
	return [{ title: T.title[language], pages: top }, ...groups];
}

/** Shows what holds for every call, and the list of all. A call's id is its anchor, as it was when the reference was one page. */
function indexPage(document: ApiDocument, language: Language, { dev, prod }: Facts): Html {
	const { info, tags, components } = document;
	return html`<h1>${T.title[language]}</h1>
<p>${T.forPrograms[language]} <a href="/openapi.json">OpenAPI 3.1</a>.</p>
${table(
	T.server[language],
	[T.environment, T.server],
	[
		[html`${T.dev[language]}`, html`<code>${dev}</code>`],
		[html`${T.prod[language]}`, html`<code>${prod}</code>`],
	],
	language,
)}
<h2 id="every-call">${T.introduction[language]}</h2>
${prose(info.description)}
${Object.values(components.securitySchemes).map(({ name, description }) => html`<p><code>${name}</code>: ${description}</p>`)}
${headerTable(document, language)}
<h2 id="Error">${T.errors[language]}</h2>
${fieldTable("Error", components.schemas.Error!, language)}
${tags.map(({ name, description }, part) => html`<h2 id="part-${part + 1}">${name}</h2>${prose(description)}<ul>${callsOf(document, name).map(({ method, address, operation }) => html`<li id="${operation.operationId}"><a href="${addressOf(language, operation.operationId)}">${operation.summary}</a><br><code>${method}</code> <code>${address}</code></li>`)}</ul>`)}
`;
}

function headerTable({ components }: ApiDocument, language: Language): Html {
	const rows = Object.entries(components.headers).map(([name, { description }]) => [
		html`<code id="${name}">${name}</code>`,
		html`${description}`,
	]);
	return table(T.headers[language], [T.name, T.meaning], rows, language);
}
