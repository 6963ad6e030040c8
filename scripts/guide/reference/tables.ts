import { html } from "hono/html";
import type { Language, Text } from "../../../src/texts/language.ts";
import type { Parameter, Schema } from "./document.ts";
import { type Field, fieldsOf } from "./fields.ts";
import { type Html, lines } from "./prose.ts";
import { typeOf } from "./type-of.ts";
import { REFERENCE_WORDS as T } from "./words.ts";

/** A table that a keyboard can scroll sideways, and a list of cards on a telephone. @param label - its name, and its call */
export function table(
	label: string,
	columns: readonly Text[],
	rows: readonly (readonly Html[])[],
	language: Language,
): Html {
	const cells = (row: readonly Html[]) =>
		row.map((cell, index) => {
			const column = columns[index]!;
			const name = column[language];
			if (index === 0) return html`<th role="rowheader" scope="row" data-column="${name}">${cell}</th>`;
			const meaning = column === T.meaning ? html` class="meaning"` : "";
			return html`<td role="cell" data-column="${name}"${meaning}>${cell}</td>`;
		});
	return html`<div class="wide" role="group" aria-label="${label}" tabindex="0"><table role="table">
<thead data-pagefind-ignore role="rowgroup"><tr role="row">${columns.map((column) => html`<th role="columnheader" scope="col">${column[language]}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${cells(row)}</tr>`)}</tbody>
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
