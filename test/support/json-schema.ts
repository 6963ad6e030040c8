import { format, type Schema as Validated, Validator } from "@cfworker/json-schema";

/** Keywords of the OpenAPI document's schemas that are read here; the validator knows all keywords. */
export interface Schema {
	$ref?: string;
	type?: string | string[];
	properties?: Record<string, Schema>;
	required?: string[];
	items?: Schema;
	enum?: unknown[];
	anyOf?: Schema[];
	oneOf?: Schema[];
	pattern?: string;
	format?: string;
	minLength?: number;
	maxLength?: number;
	minimum?: number;
	maximum?: number;
	minItems?: number;
	maxItems?: number;
	[other: string]: unknown;
}

/** Padded base64, which OpenAPI names and JSON Schema does not. */
format.byte = (text: string) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);

/** Bodies that are no JSON have it, and no value here. */
format.binary = () => true;

/** Formats that are checked; any other would be passed over. */
export const KNOWN_FORMATS: readonly string[] = Object.keys(format);

const validators = new WeakMap<Schema, Validator>();

/**
 * Faults of a value by JSON Schema 2020-12, each with its place; empty when it fits.
 * @param document - the OpenAPI document in whose components `$ref`s are found.
 */
export function faultsOf(document: object, schema: Schema, value: unknown): string[] {
	if (value === undefined) return ["# is no JSON"];
	const validator =
		validators.get(schema) ?? new Validator(withoutExamples(document, schema), "2020-12", false);
	validators.set(schema, validator);
	const { errors } = validator.validate(value);
	return errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`);
}

/** The validator would read an example's `id` as the address of a schema. */
function withoutExamples(document: object, schema: Schema): Validated {
	const { components } = document as { components?: { schemas?: object } };
	const whole = { ...schema, components: { schemas: components?.schemas ?? {} } };
	return JSON.parse(
		JSON.stringify(whole, (name, value) => (["example", "examples"].includes(name) ? undefined : value)),
	) as Validated;
}

/** The schema behind `#/components/…`. @throws when there is none. */
export function resolve(document: object, reference: string): Schema {
	const found = reference
		.slice(2)
		.split("/")
		.reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], document);
	if (!found) throw new Error(`${reference} is not there`);
	return found as Schema;
}
