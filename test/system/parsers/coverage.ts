import { readFileSync } from "node:fs";
import { type Profiler, Session } from "node:inspector";
import { fileURLToPath } from "node:url";

/** Our own source, and the reader with the planted fault. */
const OURS = /^file:.*(?:\/src\/.*|\/planted)\.ts$/;

/**
 * What of our own source runs, character by character: V8's block coverage, which types stripped from the source do
 * not shift. A take costs milliseconds whatever ran, so it is taken of many runs at once.
 */
export class Coverage {
	readonly #session = new Session();
	/** By URL: 0 no code, 1 code that never ran, 2 code that ran. */
	readonly #files = new Map<string, Uint8Array>();

	constructor() {
		this.#session.connect();
		this.#post("Profiler.enable");
		this.#post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
	}

	/**
	 * Counts what ran since the last take.
	 * @param mark - false: it will run again, and counts as new then, too.
	 * @returns how many characters of it had not run before.
	 */
	take(mark = true): number {
		const { result } = this.#post("Profiler.takePreciseCoverage") as Profiler.TakePreciseCoverageReturnType;
		return result
			.filter(({ url }) => OURS.test(url))
			.reduce((sum, script) => sum + this.#note(script, mark), 0);
	}

	/** @param files - parts of their paths. @returns characters of code, those that ran, and the lines that did not. */
	of(files: readonly string[]): { characters: number; covered: number; missing: string[] } {
		const found = { characters: 0, covered: 0, missing: [] as string[] };
		for (const [url, marks] of this.#files) {
			const name = files.find((file) => url.endsWith(`/src/${file}`));
			if (name === undefined) continue;
			found.characters += marks.filter((mark) => mark > 0).length;
			found.covered += marks.filter((mark) => mark === 2).length;
			found.missing.push(
				...linesNotRun(readFileSync(fileURLToPath(url), "utf8"), marks).map((n) => `${name}:${n}`),
			);
		}
		return found;
	}

	stop(): void {
		this.#session.disconnect();
	}

	#note({ url, functions }: Profiler.ScriptCoverage, mark: boolean): number {
		const length = Math.max(...functions.flatMap(({ ranges }) => ranges.map(({ endOffset }) => endOffset)));
		let marks = this.#files.get(url);
		if (!marks || marks.length < length) {
			const longer = new Uint8Array(length);
			longer.set(marks ?? []);
			this.#files.set(url, longer);
			marks = longer;
		}
		// Inner ranges come behind the outer ones and say more exactly what ran.
		const ran = new Int8Array(length).fill(-1);
		for (const { ranges, isBlockCoverage } of functions)
			for (const { startOffset, endOffset, count } of ranges)
				ran.fill(count > 0 && (isBlockCoverage || ranges.length === 1) ? 1 : 0, startOffset, endOffset);
		let fresh = 0;
		for (let i = 0; i < length; i++) {
			if (ran[i] === 1 && marks[i] !== 2) {
				if (mark) marks[i] = 2;
				fresh++;
			} else if (ran[i] === 0 && marks[i] === 0) marks[i] = 1;
		}
		return fresh;
	}

	#post(method: string, parameters?: object): unknown {
		let answer: unknown;
		this.#session.post(method, parameters, (error, result) => {
			if (error) throw error;
			answer = result;
		});
		return answer;
	}
}

function linesNotRun(source: string, marks: Uint8Array): number[] {
	const lines: number[] = [];
	let at = 0;
	for (const [index, line] of source.split("\n").entries()) {
		const missing = [...line].some((character, i) => /[\w]/.test(character) && marks[at + i] === 1);
		if (missing) lines.push(index + 1);
		at += line.length + 1;
	}
	return lines;
}
