import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { isLongRun } from "../../support/run-size.ts";
import { Copy } from "./copy.ts";
import { applySlip, findPlace, parseSlips, readSources, SLIPS, type Slip } from "./slip.ts";
import type { Placed } from "./trial.ts";

const sources = readSources();

/** Faults of a slip that does not fit the present code. */
function staleness(slip: Slip): string[] {
	try {
		const place = findPlace(slip, sources);
		const text = sources.get(place.file)!;
		return applySlip(slip, place, text) === text ? [`"${slip.what}" changes nothing`] : [];
	} catch (error) {
		return [(error as Error).message];
	}
}

test("every slip fits the code of today", () => {
	expect(SLIPS.flatMap(staleness)).toEqual([]);
});

/** Slips of one round do not overlap, so that they can be applied together: the last of a file first. */
function roundsOf(placed: readonly Placed[]): Placed[][] {
	const rounds: Placed[][] = [];
	for (const one of placed.toSorted((a, b) => b.place.start - a.place.start)) {
		const isFree = ({ place }: Placed) => place.file !== one.place.file || place.start >= one.place.end;
		const free = rounds.find((round) => round.every(isFree));
		if (free) free.push(one);
		else rounds.push([one]);
	}
	return rounds;
}

test.skipIf(!isLongRun)(
	"every slip parses and type-checks: a compiler would find no other mistake of its kind",
	async () => {
		const copy = new Copy();
		onTestFinished(() => copy.remove());
		copy.write(
			"slips.json",
			'{ "extends": "./tsconfig.json", "include": ["src", "worker-configuration.d.ts"] }',
		);
		const typeErrors = async (project: string): Promise<string> => {
			const options = ["--singleThreaded", "--project", project];
			const tsc = promisify(execFile)("node_modules/.bin/tsc", options, { cwd: copy.root });
			return (await tsc.catch((failed: { stdout: string }) => failed)).stdout;
		};
		const placed = SLIPS.map((slip, id) => ({ id, slip, place: findPlace(slip, sources) }));
		for (const round of roundsOf(placed)) {
			const changed = new Map(sources);
			for (const { slip, place } of round)
				changed.set(place.file, applySlip(slip, place, changed.get(place.file)!));
			for (const [file, text] of changed) copy.write(file, text);
			const errors = (await typeErrors("slips.json")) + (await typeErrors("src/widget/browser"));
			const stale = round.filter(({ place }) => errors.includes(`${place.file}(`));
			expect([stale.map(({ slip }) => slip.what), errors]).toEqual([[], ""]);
		}
	},
	300_000,
);

test("a slip is found across indentation and line breaks, and refused where it is missing or repeated", () => {
	const [slip] = parseSlips("# the sum is a difference\n- a +\n- b;\n+ a - b;") as [Slip];
	const found = (text: string) => findPlace(slip, new Map([["src/sum.ts", text]]));
	const text = "return (\n\ta + b;\n)";
	expect(applySlip(slip, found(text), text)).toBe("return (\n\ta - b;\n)");
	expect(() => found("a - b;")).toThrow("fits 0 places");
	expect(() => found("a + b; a + b;")).toThrow("fits 2 places");
	expect(() => parseSlips("# nothing to find\n+ a")).toThrow("what it replaces");
	expect(() => parseSlips("* a list")).toThrow("begins with");
});

test("no two slips are alike", () => {
	expect(new Set(SLIPS.map(({ what }) => what)).size).toBe(SLIPS.length);
	expect(new Set(SLIPS.map(({ find, replace }) => `${find}\0${replace}`)).size).toBe(SLIPS.length);
});
