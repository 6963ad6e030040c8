import { html, raw } from "hono/html";
import type { Language } from "../../../src/texts/language.ts";
import { codeBlock } from "../code-block.ts";
import {
	type ApiDocument,
	type Call,
	type Media,
	nameOf,
	type Operation,
	parametersOf,
	type Schema,
} from "./document.ts";
import { type Html, lines, prose } from "./prose.ts";
import { sampleCommand } from "./sample.ts";
import { fieldTable, parameterTable, table } from "./tables.ts";
import { typeOf } from "./type-of.ts";
import { REFERENCE_WORDS as T } from "./words.ts";

/** Says as HTML what to do about a refusal, by status and `error` or `code`. */
export type WhatToDo = (status: string, name: string) => string;

/** The page of one call or webhook: what to send, every answer, examples of both. */
export function callPage(document: ApiDocument, call: Call, language: Language, whatToDo: WhatToDo): Html {
	const { method, address, operation } = call;
	const { summary, description } = operation;
	const parameters = parametersOf(document, operation);
	const isWebhook = address in document.webhooks;
	return html`<h1>${summary}</h1>
<p class="call" data-pagefind-meta="call:${wordsOf(address)}"><code>${method}</code> <code>${address}</code></p>
${prose(description)}
${operation.tags.includes("Sandbox") ? html`<p><strong>${T.sandboxOnly[language]}</strong></p>` : ""}
${isWebhook ? "" : raw(codeBlock({ language: "sh", caption: "", text: sampleCommand(document, call) }, language))}
${parameters.length > 0 ? html`<h2 id="parameters">${T.parameters[language]}</h2>${parameterTable(`${T.parameters[language]}: ${summary}`, parameters, language)}` : ""}
${requestOf(document, operation, language)}
<h2 id="answers">${T.answers[language]}</h2>
${successesOf(document, operation, language)}
${errorsOf(operation, language, whatToDo)}
${nestedOf(document, operation, language)}
`;
}

/** Words by which a call is searched: its path after the version, and the parts of that. */
function wordsOf(address: string): string {
	const own = address.replace(/^\/api\/partners?\/v1\//, "");
	const parts = own.split(/[/.]/).filter((part) => !part.startsWith("{"));
	return [...new Set([own, ...parts])].join(" ");
}

function requestOf(
	document: ApiDocument,
	{ summary, requestBody }: Operation,
	language: Language,
): Html | "" {
	const media = requestBody?.content["application/json"];
	if (!media?.schema) return "";
	return html`<h2 id="body">${T.body[language]}</h2>${fieldTable(`${T.body[language]}: ${summary}`, resolved(document, media.schema), language)}${examplesIn(media).map(([, value]) => json(value, language))}`;
}

function successesOf(document: ApiDocument, operation: Operation, language: Language): Html {
	const answers = Object.entries(operation.responses).filter(
		([status, { content }]) => !refusalsIn(status, content),
	);
	return html`${answers.map(([status, { description, headers = {}, content = {} }]) => {
		const media = content["application/json"];
		const types = Object.keys(content).filter((type) => type !== "application/json");
		const names = Object.keys(headers).map((name) => html` <a href="./#${name}">${name}</a>`);
		return html`<h3>${status}</h3>
<p>${lines(description)}${types.map((type) => html` <code>${type}</code>`)}</p>
${names.length > 0 ? html`<p>${T.headers[language]}:${names}</p>` : ""}
${media?.schema ? fieldTable(`${status}: ${operation.summary}`, resolved(document, media.schema), language) : ""}
${media ? examplesIn(media).map(([, value]) => json(value, language)) : ""}`;
	})}`;
}

interface Refusal {
	error: string;
	details?: { code: string }[];
}

/** The examples of an answer whose body is an Error; undefined for one that is a success. */
function refusalsIn(status: string, content: Record<string, Media> = {}): [string, Refusal][] | undefined {
	const media = content["application/json"];
	const isError = media?.schema?.$ref?.endsWith("/Error");
	return isError && status !== "2XX" ? (examplesIn(media) as [string, Refusal][]) : undefined;
}

function errorsOf(operation: Operation, language: Language, whatToDo: WhatToDo): Html | "" {
	const refusals = Object.entries(operation.responses).flatMap(([status, { description, content }]) => {
		const conditions = description.split("\n\n");
		return (refusalsIn(status, content) ?? []).map(([, value], index) => {
			const names = [value.error, ...(status === "406" ? [value.details![0]!.code] : [])];
			const condition = conditions[index]!.slice(names.join(", ").length + 2);
			return { status, names, condition, value };
		});
	});
	if (refusals.length === 0) return "";
	const rows = refusals.map(({ status, names, condition }) => [
		html`${status}`,
		html`${names.map((name) => html`<code>${name}</code> `)}`,
		lines(condition),
		html`${raw(whatToDo(status, names.at(-1)!))}`,
	]);
	const columns = [T.status, T.error, T.meaning, T.whatToDo];
	return html`<h2 id="errors">${T.errors[language]}</h2>
${table(T.errors[language], columns, rows, language)}
<details data-pagefind-ignore><summary>${T.examples[language]}</summary>
${refusals.map(({ status, value }) => raw(codeBlock({ language: "json", caption: status, text: JSON.stringify(value) }, language)))}</details>`;
}

/** Tables of the objects that the call's bodies consist of. */
function nestedOf(
	document: ApiDocument,
	{ requestBody, responses }: Operation,
	language: Language,
): Html | "" {
	const media = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
	const tops = media.flatMap((content) => content?.["application/json"]?.schema ?? []);
	const nested = new Set(tops.flatMap((schema) => namesIn(document, resolved(document, schema))));
	if (nested.size === 0) return "";
	return html`<h2 id="objects">${T.schemas[language]}</h2>${[...nested].map((name) => {
		const schema = document.components.schemas[name]!;
		return html`<h3 id="${name}">${name}</h3>${prose(schema.description)}${schema.properties ? fieldTable(name, schema, language) : html`<p>${typeOf(schema, language)}</p>`}`;
	})}`;
}

function namesIn(document: ApiDocument, schema: Schema): string[] {
	const names = [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
		([, name]) => name!,
	);
	return names.flatMap((name) => [name, ...namesIn(document, document.components.schemas[name]!)]);
}

function resolved(document: ApiDocument, schema: Schema): Schema {
	return schema.$ref ? document.components.schemas[nameOf(schema.$ref)]! : schema;
}

function examplesIn({ example, examples = {} }: Media = {}): [string, unknown][] {
	if (example !== undefined) return [["", example]];
	return Object.entries(examples).map(([name, { value }]) => [name, value]);
}

/** An example, which search leaves out: the table beside it has the names of the fields. */
function json(value: unknown, language: Language): Html {
	const block = codeBlock({ language: "json", caption: "", text: JSON.stringify(value) }, language);
	return html`<div data-pagefind-ignore>${raw(block)}</div>`;
}
