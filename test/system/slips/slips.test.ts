import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { applySlip, findPlace, type Place, parseSlips, ROOT, readSources, SLIPS, type Slip } from "./slip.ts";

const sources = readSources();
const run = promisify(execFile);

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

/** Slips of one round do not overlap, so that they can be applied together. */
function roundsOf(placed: readonly { slip: Slip; place: Place }[]) {
	const rounds: { slip: Slip; place: Place }[][] = [];
	for (const one of placed.toSorted((a, b) => b.place.start - a.place.start)) {
		const free = rounds.find((round) =>
			round.every(({ place }) => place.file !== one.place.file || place.start >= one.place.end),
		);
		if (free) free.push(one);
		else rounds.push([one]);
	}
	return rounds;
}

/** Errors of tsc for the copy. */
async function typeErrors(root: string, project: string): Promise<string> {
	const tsc = join(ROOT, "node_modules/.bin/tsc");
	return run(tsc, ["--project", project], { cwd: root }).then(
		({ stdout }) => stdout,
		({ stdout }: { stdout: string }) => stdout,
	);
}

test("every slip parses and type-checks: a compiler would find no other mistake of its kind", async () => {
	const root = mkdtempSync(join(tmpdir(), "slips-"));
	onTestFinished(() => rmSync(root, { recursive: true }));
	for (const file of ["src", "tsconfig.json", "worker-configuration.d.ts", "package.json"])
		cpSync(join(ROOT, file), join(root, file), { recursive: true });
	symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
	const placed = SLIPS.map((slip) => ({ slip, place: findPlace(slip, sources) }));
	for (const round of roundsOf(placed)) {
		const changed = new Map(sources);
		for (const { slip, place } of round)
			changed.set(place.file, applySlip(slip, place, changed.get(place.file)!));
		for (const [file, text] of changed) writeFileSync(join(root, file), text);
		const errors = [await typeErrors(root, "."), await typeErrors(root, "src/widget/browser")].join("");
		const stale = round.filter(({ place }) => errors.includes(`${place.file}(`));
		expect(
			stale.map(({ slip }) => slip.what),
			errors,
		).toEqual([]);
		expect(errors).toBe("");
	}
}, 300_000);

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
