import { html } from "hono/html";
import type { Language } from "../../texts/language.ts";
import { REFERENCE_PAGE as T } from "../../texts/reference-page.ts";
import { type ApiDocument, type Call, type Media, type Operation, parametersOf } from "./document.ts";
import { type Html, lines, prose } from "./prose.ts";
import { fieldTable, parameterTable, table } from "./tables.ts";
import { typeOf } from "./type-of.ts";

/** One call or webhook: what to send, and every answer. */
export function callSection(
	document: ApiDocument,
	{ method, address, operation }: Call,
	language: Language,
): Html {
	const { operationId: id, summary, description } = operation;
	const parameters = parametersOf(document, operation);
	return html`<section aria-labelledby="${id}">
<h3 id="${id}">${summary}</h3>
<p class="call"><code>${method}</code> <code>${address}</code></p>
${prose(description)}
${parameters.length > 0 ? html`<h4>${T.parameters[language]}</h4>${parameterTable(`${T.parameters[language]}: ${summary}`, parameters, language)}` : ""}
${bodyOf(operation, language)}
<h4>${T.answers[language]}</h4>
${answerTable(operation, language)}
${examplesOf(operation, language)}
</section>
`;
}

function bodyOf({ summary, requestBody }: Operation, language: Language): Html | "" {
	const media = requestBody?.content["application/json"];
	if (!media?.schema) return "";
	const { schema } = media;
	const shown = schema.$ref
		? html`<p>${typeOf(schema, language)}</p>`
		: fieldTable(`${T.body[language]}: ${summary}`, schema, language);
	return html`<h4>${T.body[language]}</h4>${shown}${Object.values(examplesIn(media)).map(json)}`;
}

function answerTable({ summary, responses }: Operation, language: Language): Html {
	const rows = Object.entries(responses).map(([status, { description, headers = {}, content = {} }]) => [
		html`<code>${status}</code>`,
		lines(description),
		html`${Object.entries(content).map(([type, { schema }], index) => [index > 0 ? html`<br>` : "", schema?.$ref ? typeOf(schema, language) : html`<code>${type}</code>`])}`,
		html`${Object.keys(headers).map((name) => html`<a href="#${name}">${name}</a> `)}`,
	]);
	const columns = [T.status, T.meaning, T.body, T.headers];
	return table(`${T.answers[language]}: ${summary}`, columns, rows, language);
}

/** Closed: a reader of one call opens what it needs. */
function examplesOf({ responses }: Operation, language: Language): Html {
	const examples = Object.entries(responses).flatMap(([status, { content }]) =>
		Object.entries(examplesIn(content?.["application/json"])).map(([name, value]) => {
			const label = `${T.example[language]}: ${status}${name ? ` ${name}` : ""}`;
			return html`<details><summary>${label}</summary>${json(value)}</details>`;
		}),
	);
	return html`${examples}`;
}

function examplesIn({ example, examples = {} }: Media = {}): Record<string, unknown> {
	if (example !== undefined) return { "": example };
	return Object.fromEntries(Object.entries(examples).map(([name, { value }]) => [name, value]));
}

function json(value: unknown): Html {
	return html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}
