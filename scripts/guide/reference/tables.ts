import { html } from "hono/html";
import type { Language, Text } from "../../../src/texts/language.ts";
import type { Parameter, Schema } from "./document.ts";
import { type Field, fieldsOf } from "./fields.ts";
import { type Html, lines } from "./prose.ts";
import { typeOf } from "./type-of.ts";
import { REFERENCE_WORDS as T } from "./words.ts";

/** A table that a keyboard can scroll sideways. @param label - its name, and its call */
export function table(
	label: string,
	columns: readonly Text[],
	rows: readonly (readonly Html[])[],
	language: Language,
): Html {
	const cells = (row: readonly Html[]) =>
		row.map((cell, index) => (index === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`));
	return html`<div class="wide" role="group" aria-label="${label}" tabindex="0"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column[language]}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody>
</table></div>
`;
}

export function parameterTable(label: string, parameters: Parameter[], language: Language): Html {
	const rows = parameters.map(({ name, in: where, required, description, schema }) => [
		html`<code>${name}</code>`,
		html`${where}`,
		typeOf(schema, language),
		html`${T[required ? "yes" : "no"][language]}`,
		lines(description ?? ""),
	]);
	return table(label, [T.name, T.where, T.type, T.required, T.meaning], rows, language);
}

export function fieldTable(label: string, schema: Schema, language: Language): Html {
	const rows = fieldsOf(schema).map(({ name, schema: of, required }: Field) => [
		html`<code>${name}</code>`,
		typeOf(of, language),
		html`${T[required ? "yes" : "no"][language]}`,
		lines(meaningOf(of)),
	]);
	return table(label, [T.name, T.type, T.required, T.meaning], rows, language);
}

/** The field's description, or the first one among its alternative forms. */
function meaningOf({ description, anyOf = [] }: Schema): string {
	return description ?? anyOf.find((form) => form.description)?.description ?? "";
}
