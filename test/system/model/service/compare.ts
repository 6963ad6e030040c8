import type { Answer } from "../../../support/service.ts";
import type { Expected, Made, Shape, Special } from "../document/expected.ts";

type Fields = { readonly [field: string]: Shape };

/** @returns a line for each place where the value has not the shape. */
function compareShape(shape: Shape, value: unknown, where: string, names: Names): string[] {
	if (isArray(shape)) return compareElements(shape, value, where, names);
	if (shape === null || typeof shape !== "object") return shape === value ? [] : differ(where, shape, value);
	if (isSpecial(shape)) return compareSpecial(shape, value, where, names);
	return compareFields(shape, value, where, names, "exactly");
}

function differ(where: string, wanted: unknown, found: unknown): string[] {
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
			return unless(isSet(shape.of, value, names), shape.of);
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

/** Each shape has an element of its own, and none is left. */
function isSet(shapes: readonly Shape[], value: unknown, names: Names): boolean {
	if (!Array.isArray(value) || value.length !== shapes.length) return false;
	const left = [...value];
	return shapes.every((shape) => {
		const match = left.findIndex(
			(element) => names.attempt(() => compareShape(shape, element, "", names)).length === 0,
		);
		if (match >= 0) left.splice(match, 1);
		return match >= 0;
	});
}

/** Names that the service gave to the model's things, and answers that must be repeated unchanged. */
export class Names {
	readonly #values = new Map<string, string>();
	readonly #names = new Map<string, string>();
	readonly #answers = new Map<string, string>();

	valueOf(what: Made, name: string): string | undefined {
		return this.#values.get(`${what} ${name}`);
	}

	/** @returns whether the value is, or from now on is, what the name stands for, and it alone. */
	bind(what: Made, name: string, value: string): boolean {
		const key = `${what} ${name}`;
		const known = this.#values.get(key);
		if (known !== undefined) return known === value;
		if (this.#names.has(`${what} ${value}`)) return false;
		this.#values.set(key, value);
		this.#names.set(`${what} ${value}`, name);
		return true;
	}

	/** Keeps the names that a comparison binds only if it finds no difference. */
	attempt(compare: () => string[]): string[] {
		const [values, names] = [[...this.#values], [...this.#names]];
		const differences = compare();
		if (differences.length > 0) {
			restore(this.#values, values);
			restore(this.#names, names);
		}
		return differences;
	}

	/** @returns whether the answer is, or from now on is, the one of this name. */
	sameAnswer(name: string, text: string): boolean {
		if (!this.#answers.has(name)) this.#answers.set(name, text);
		return this.#answers.get(name) === text;
	}
}

function restore(map: Map<string, string>, entries: readonly [string, string][]): void {
	map.clear();
	for (const [key, value] of entries) map.set(key, value);
}

const REPLAYED = "Idempotency-Replayed";

/** @returns where an answer is not what the model expects, a line each; none when it is. */
export function compare(expected: Expected, answer: Answer, names: Names): string[] {
	const { status, headers, body, bytes } = expected;
	const found = (name: string) => answer.headers.get(name) ?? undefined;
	return [
		...(answer.status === status ? [] : differ("status", status, answer.status)),
		...Object.entries(headers).flatMap(([name, shape]) =>
			compareShape(shape, found(name), `header ${name}`, names),
		),
		...(REPLAYED in headers ? [] : compareShape(undefined, found(REPLAYED), `header ${REPLAYED}`, names)),
		...compareShape(body, answer.body, "body", names),
		...(bytes === undefined || names.sameAnswer(bytes, answer.text)
			? []
			: differ("bytes", `those of ${bytes}`, answer.text)),
	];
}
