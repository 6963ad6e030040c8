/* A check of JSON Schema 2020-12 as OpenAPI 3.1 uses it: the keywords that the document uses, and no others. */

export interface Schema {
	$ref?: string;
	type?: string | string[];
	properties?: Record<string, Schema>;
	required?: string[];
	additionalProperties?: boolean | Schema;
	items?: Schema;
	enum?: unknown[];
	const?: unknown;
	anyOf?: Schema[];
	oneOf?: Schema[];
	allOf?: Schema[];
	pattern?: string;
	format?: string;
	minLength?: number;
	maxLength?: number;
	minimum?: number;
	maximum?: number;
	minItems?: number;
	maxItems?: number;
	uniqueItems?: boolean;
	[other: string]: unknown;
}

const ANNOTATIONS = ["description", "example", "examples", "default", "title", "deprecated"];

const FORMATS: Record<string, RegExp> = {
	"date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
	email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
	byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
	uri: /^[a-z]+:\/\/\S+$/,
};

type Check = (schema: Schema, value: unknown, fault: (what: string) => string[], inside: Inside) => string[];
type Inside = (schema: Schema, value: unknown, step?: string) => string[];

const CHECKS: Record<string, Check> = {
	type: ({ type }, value, fault) =>
		[type].flat().some((name) => isOfType(name!, value)) ? [] : fault(`is not ${[type].flat().join(" or ")}`),
	enum: (schema, value, fault) => (schema.enum!.includes(value) ? [] : fault("is none of the enum")),
	const: (schema, value, fault) => (schema.const === value ? [] : fault("is not the constant")),
	properties: ({ properties }, value, _fault, inside) =>
		isObject(value)
			? Object.entries(properties!).flatMap(([name, schema]) =>
					name in value ? inside(schema, value[name], name) : [],
				)
			: [],
	required: ({ required }, value, fault) =>
		isObject(value)
			? required!.filter((name) => !(name in value)).flatMap((name) => fault(`lacks ${name}`))
			: [],
	additionalProperties: ({ additionalProperties, properties = {} }, value, fault, inside) => {
		if (!isObject(value) || additionalProperties === true) return [];
		const others = Object.keys(value).filter((name) => !(name in properties));
		return additionalProperties === false
			? others.flatMap((name) => fault(`has ${name}`))
			: others.flatMap((name) => inside(additionalProperties as Schema, value[name], name));
	},
	items: ({ items }, value, _fault, inside) =>
		Array.isArray(value) ? value.flatMap((item, i) => inside(items!, item, String(i))) : [],
	anyOf: ({ anyOf }, value, fault, inside) =>
		anyOf!.some((schema) => inside(schema, value).length === 0)
			? []
			: fault(`fits none of anyOf: ${anyOf!.flatMap((schema) => inside(schema, value)).join("; ")}`),
	oneOf: ({ oneOf }, value, fault, inside) =>
		oneOf!.filter((schema) => inside(schema, value).length === 0).length === 1
			? []
			: fault("fits not one of oneOf"),
	allOf: ({ allOf }, value, _fault, inside) => allOf!.flatMap((schema) => inside(schema, value)),
	pattern: ({ pattern }, value, fault) =>
		typeof value !== "string" || new RegExp(pattern!, "u").test(value)
			? []
			: fault(`does not match ${pattern}`),
	format: ({ format }, value, fault) => {
		const form = FORMATS[format!];
		if (!form) throw new Error(`unknown format ${format}`);
		return typeof value !== "string" || form.test(value) ? [] : fault(`is no ${format}`);
	},
	minLength: (schema, value, fault) =>
		typeof value !== "string" || [...value].length >= schema.minLength! ? [] : fault("is too short"),
	maxLength: (schema, value, fault) =>
		typeof value !== "string" || [...value].length <= schema.maxLength! ? [] : fault("is too long"),
	minimum: (schema, value, fault) =>
		typeof value !== "number" || value >= schema.minimum! ? [] : fault("is too small"),
	maximum: (schema, value, fault) =>
		typeof value !== "number" || value <= schema.maximum! ? [] : fault("is too large"),
	minItems: (schema, value, fault) =>
		!Array.isArray(value) || value.length >= schema.minItems! ? [] : fault("has too few items"),
	maxItems: (schema, value, fault) =>
		!Array.isArray(value) || value.length <= schema.maxItems! ? [] : fault("has too many items"),
	uniqueItems: (_schema, value, fault) =>
		!Array.isArray(value) || new Set(value).size === value.length ? [] : fault("repeats an item"),
};

/**
 * What is wrong with a value, each fault with its place; empty when it fits.
 * @param document - in which `$ref`s are found.
 * @throws on a keyword that this check does not know: it must not pass unseen.
 */
export function faultsOf(document: object, schema: Schema, value: unknown, place = "$"): string[] {
	const resolved = schema.$ref === undefined ? schema : resolve(document, schema.$ref);
	const fault = (what: string) => [`${place} ${what}`];
	const inside: Inside = (part, held, step) =>
		faultsOf(document, part, held, step === undefined ? place : `${place}.${step}`);
	return Object.keys(resolved)
		.filter((keyword) => !ANNOTATIONS.includes(keyword))
		.flatMap((keyword) => {
			const check = CHECKS[keyword];
			if (!check) throw new Error(`unknown keyword ${keyword} at ${place}`);
			return check(resolved, value, fault, inside);
		});
}

/** The schema behind `#/components/…`. */
export function resolve(document: object, reference: string): Schema {
	const found = reference
		.slice(2)
		.split("/")
		.reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], document);
	if (!found) throw new Error(`${reference} is not there`);
	return found as Schema;
}

function isOfType(type: string, value: unknown): boolean {
	if (type === "null") return value === null;
	if (type === "array") return Array.isArray(value);
	if (type === "object") return isObject(value);
	if (type === "integer") return Number.isInteger(value);
	return typeof value === type;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
