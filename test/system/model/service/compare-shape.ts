import type { Shape, Special } from "../document/expected.ts";
import type { Names } from "./names.ts";

type Fields = { readonly [field: string]: Shape };

/** @returns a line for each place where the value has not the shape. */
export function compareShape(shape: Shape, value: unknown, where: string, names: Names): string[] {
	if (isArray(shape)) return compareElements(shape, value, where, names);
	if (shape === null || typeof shape !== "object") return shape === value ? [] : differ(where, shape, value);
	if (isSpecial(shape)) return compareSpecial(shape, value, where, names);
	return compareFields(shape, value, where, names, "exactly");
}

export function differ(where: string, wanted: unknown, found: unknown): string[] {
	return [`${where}: expected ${JSON.stringify(wanted)}, answered ${JSON.stringify(found)}`];
}

function isArray(shape: Shape): shape is readonly Shape[] {
	return Array.isArray(shape);
}

function isSpecial(shape: Fields | Special): shape is Special {
	return "$" in shape;
}

function compareSpecial(shape: Special, value: unknown, where: string, names: Names): string[] {
	const unless = (holds: boolean, wanted: unknown) => (holds ? [] : differ(where, wanted, value));
	switch (shape.$) {
		case "made": {
			const known = names.valueOf(shape.what, shape.name);
			const isIt = typeof value === "string" && names.bind(shape.what, shape.name, value);
			return unless(isIt, known ?? `a new ${shape.what}`);
		}
		case "made all": {
			const sorted = Array.isArray(value) ? value.map(String).sort() : [];
			const isIt = shape.names.every((name, i) => sorted[i] && names.bind(shape.what, name, sorted[i]));
			return unless(sorted.length === shape.names.length && isIt, shape.names);
		}
		case "text":
			return unless(typeof value === "string" && value !== "", "a text");
		case "optional text":
			return unless(value === undefined || typeof value === "string", "a text or nothing");
		case "containing":
			return unless(typeof value === "string" && value.includes(shape.text), shape.text);
		case "count":
			return unless(Number.isInteger(value) && Number(value) >= 0, "a count");
		case "one of": {
			const fits = (one: Shape) => names.attempt(() => compareShape(one, value, where, names)).length === 0;
			return unless(shape.of.some(fits), shape.of);
		}
		case "with":
			return compareFields(shape.fields, value, where, names, "at least");
		case "set":
			return unless(isSet(shape.of, shape.maybe, value, names), shape.of);
	}
}

function compareElements(shapes: readonly Shape[], value: unknown, where: string, names: Names): string[] {
	if (!Array.isArray(value) || value.length !== shapes.length) return differ(where, shapes, value);
	return shapes.flatMap((shape, i) => compareShape(shape, value[i], `${where}[${i}]`, names));
}

function compareFields(
	fields: Fields,
	value: unknown,
	where: string,
	names: Names,
	extent: "exactly" | "at least",
): string[] {
	if (value === null || typeof value !== "object") return differ(where, fields, value);
	const found = value as Record<string, unknown>;
	const extra = extent === "exactly" ? Object.keys(found).filter((field) => !(field in fields)) : [];
	return [
		...Object.entries(fields).flatMap(([field, shape]) =>
			compareShape(shape, found[field], `${where}.${field}`, names),
		),
		...(extra.length === 0 ? [] : differ(where, Object.keys(fields), Object.keys(found))),
	];
}

/** Each shape has an element of its own; what is left are some of those that may be. */
function isSet(shapes: readonly Shape[], maybe: readonly Shape[], value: unknown, names: Names): boolean {
	if (!Array.isArray(value)) return false;
	const left = [...value];
	const take = (shape: Shape) => {
		const match = left.findIndex(
			(element) => names.attempt(() => compareShape(shape, element, "", names)).length === 0,
		);
		if (match >= 0) left.splice(match, 1);
		return match >= 0;
	};
	const hasAll = shapes.every(take);
	for (const shape of maybe) take(shape);
	return hasAll && left.length === 0;
}
