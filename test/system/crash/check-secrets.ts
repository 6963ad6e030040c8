import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { SECRET_FORMS } from "../secret-forms.ts";

/** A session's token, wherever it begins; in kilobytes of sealed text one may look so by chance. */
const LIKE_TOKEN = /(?=(wt_[A-Za-z0-9_-]{43}))/g;

/** Searches all files of a fixture that changed since the last time. Invariant 5. */
export class SecretSearch {
	readonly #fixture: string;
	readonly #tokens: ReadonlySet<string>;
	readonly #seen = new Map<string, string>();

	/** @param tokens - of the sessions that were made; grows. */
	constructor(fixture: string, tokens: ReadonlySet<string>) {
		this.#fixture = fixture;
		this.#tokens = tokens;
	}

	async search(): Promise<string[]> {
		const broken: string[] = [];
		for (const entry of await readdir(this.#fixture, { recursive: true, withFileTypes: true })) {
			if (!entry.isFile()) continue;
			const file = join(entry.parentPath, entry.name);
			const { mtimeMs, size } = await stat(file);
			const version = `${mtimeMs} ${size}`;
			if (this.#seen.get(file) === version) continue;
			this.#seen.set(file, version);
			broken.push(...(await this.#searchFile(file)));
		}
		return broken;
	}

	async #searchFile(file: string): Promise<string[]> {
		const bytes = await readFile(file);
		const text = bytes.toString("latin1");
		const found = Object.entries(SECRET_FORMS).flatMap(([what, { core, form }]) => {
			if (!core.some((part) => bytes.includes(part, 0, "latin1"))) return [];
			const at = text.search(form);
			return at < 0 ? [] : [{ what, at }];
		});
		for (const { index: at, 1: token } of text.matchAll(LIKE_TOKEN))
			if (this.#tokens.has(token!)) found.push({ what: "a session's token", at });
		return found.map(({ what, at }) => `5: ${what} in ${relative(this.#fixture, file)} at ${at}`);
	}
}
