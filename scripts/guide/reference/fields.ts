import type { Schema } from "./document.ts";

/** A row of a body's table. */
export interface Field {
	/** `titular.rut`, `pcodes[]` */
	name: string;
	schema: Schema;
	required: boolean;
}

/** Every field of a body, those of its objects and lists too; a `$ref` is a row that links to its own table. */
export function fieldsOf(schema: Schema, prefix = ""): Field[] {
	if (schema.items) return fieldsOf(schema.items, `${prefix}[]`);
	if (schema.anyOf) return mergeForms(schema.anyOf.map((form) => fieldsOf(form, prefix)));
	return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
		const name = prefix === "" ? key : `${prefix}.${key}`;
		const field = { name, schema: property, required: schema.required?.includes(key) ?? false };
		return [field, ...fieldsOf(property, name)];
	});
}

/** One row per field of several forms of an object: required where every form that has fields requires it. */
function mergeForms(forms: Field[][]): Field[] {
	const objects = forms.filter((form) => form.length > 0);
	const merged = new Map<string, Field>();
	for (const field of objects.flat()) {
		const inEvery = objects.every((form) => form.some((one) => one.name === field.name && one.required));
		if (!merged.has(field.name)) merged.set(field.name, { ...field, required: inEvery });
	}
	return [...merged.values()];
}
