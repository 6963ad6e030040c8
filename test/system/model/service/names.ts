import type { Made } from "../document/expected.ts";

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
