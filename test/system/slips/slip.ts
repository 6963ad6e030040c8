import { globSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/*
 * A slip is a mistake of the kind that a tired engineer makes. The files `*.slips` hold them, an empty line between two:
 * `#` says what is wrong, `-` is text of src/, `+` what takes its place, `=` why no test needs to notice it.
 */

export interface Slip {
	/** The mistake, in a sentence. */
	what: string;
	/** Text that stands in src/ exactly once, whatever its indentation and line breaks. */
	find: string;
	replace: string;
	/** Why nothing needs to notice it; null: a test must. */
	unnoticed: string | null;
}

/** Place of a slip: the file from the project's root, and the part of its text that is replaced. */
export interface Place {
	file: string;
	start: number;
	end: number;
}

export const ROOT = resolve(import.meta.dirname, "../../..");

export function parseSlips(text: string): Slip[] {
	return text
		.trim()
		.split(/\n{2,}/)
		.map((block) => {
			const parts: Record<string, string[]> = { "#": [], "-": [], "+": [], "=": [] };
			for (const line of block.split("\n")) {
				const part = parts[line.charAt(0)];
				if (!part) throw new Error(`a slip's line begins with #, -, + or =, not "${line}"`);
				part.push(line.slice(2));
			}
			const [what, find, replace, unnoticed] = Object.values(parts).map((lines) => lines.join("\n"));
			if (!what || !find) throw new Error(`a slip says what it is and what it replaces:\n${block}`);
			return { what, find, replace: replace!, unnoticed: unnoticed || null };
		});
}

export const SLIPS: readonly Slip[] = readdirSync(import.meta.dirname)
	.filter((file) => file.endsWith(".slips"))
	.toSorted()
	.flatMap((file) => parseSlips(readFileSync(join(import.meta.dirname, file), "utf8")));

/** The source files by their path from the project's root. */
export function readSources(root = ROOT): Map<string, string> {
	const files = globSync("src/**/*.{ts,tsx}", { cwd: root, exclude: ["**/built-page.ts"] }).toSorted();
	return new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

/** @throws when the slip is stale: its text does not stand in the sources exactly once, and the slip must follow. */
export function findPlace({ what, find }: Slip, sources: ReadonlyMap<string, string>): Place {
	const signs = [...find.replace(/\s/g, "")].map((sign) => sign.replace(/[^\w]/, "\\$&"));
	const wanted = new RegExp(signs.join("\\s*"), "g");
	const places = [...sources].flatMap(([file, text]) =>
		[...text.matchAll(wanted)].map(({ index, 0: { length } }) => ({
			file,
			start: index,
			end: index + length,
		})),
	);
	const [place, ...others] = places;
	if (!place || others.length > 0) throw new Error(`"${what}" fits ${places.length} places, not one`);
	return place;
}

/** The text of the place's file with the slip in it. */
export function applySlip({ replace }: Slip, { start, end }: Place, text: string): string {
	return text.slice(0, start) + replace + text.slice(end);
}
