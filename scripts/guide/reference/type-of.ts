import { html } from "hono/html";
import type { Language, Text } from "../../../src/texts/language.ts";
import { nameOf, type Schema } from "./document.ts";
import type { Html } from "./prose.ts";
import { REFERENCE_WORDS as T } from "./words.ts";

/** Describes a field's type, values and limits. */
export function typeOf(schema: Schema, language: Language): Html {
	if (schema.$ref) return html`<a href="#${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`;
	if (schema.anyOf) return joined(distinct(schema.anyOf, language), ` ${T.or[language]} `);
	if (schema.items)
		return html`${T.listOf[language]} ${typeOf(schema.items, language)}${limits(schema, language)}`;
	const values = schema.enum?.map((value) =>
		value === "" ? html`${T.empty[language]}` : html`<code>${String(value)}</code>`,
	);
	if (values) return joined(values, ", ");
	const types = [schema.type ?? "object"].flat().join(` ${T.or[language]} `);
	return html`${types}${schema.format ? ` (${schema.format})` : ""}${limits(schema, language)}`;
}

/** Two forms of one object are one `object` in the table: their fields follow it. */
function distinct(forms: Schema[], language: Language): Html[] {
	const objects = forms.filter(({ properties }) => properties);
	return forms
		.filter((form) => !form.properties || form === objects[0])
		.map((form) => typeOf(form, language));
}

function limits(schema: Schema, language: Language): Html {
	const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern } = schema;
	const said = [
		...range(minLength, maxLength, [T.character, T.characters], language),
		...range(minimum, maximum, null, language),
		...range(minItems, maxItems, [T.entry, T.entries], language),
	].map((text) => html`, ${text}`);
	return html`${said}${pattern ? html`, ${T.pattern[language]} <code class="pattern">${pattern}</code>` : ""}`;
}

/** @param units - what is counted, one and several of it; null for a number itself */
function range(
	least: number | undefined,
	most: number | undefined,
	units: readonly [Text, Text] | null,
	language: Language,
): string[] {
	const counted = (n: number) => (units ? `${n} ${units[n === 1 ? 0 : 1][language]}` : String(n));
	if (least !== undefined && least === most) return [counted(least)];
	if (least !== undefined && most !== undefined) return [`${least}–${counted(most)}`];
	if (least !== undefined) return [`${T.atLeast[language]} ${counted(least)}`];
	return most === undefined ? [] : [`${T.atMost[language]} ${counted(most)}`];
}

function joined(parts: Html[], between: string): Html {
	return html`${parts.map((part, index) => html`${index > 0 ? between : ""}${part}`)}`;
}
