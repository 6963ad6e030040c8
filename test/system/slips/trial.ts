import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Copy } from "./copy.ts";
import type { Answer } from "./judge.ts";
import { addProbes, SET_UP } from "./probes.ts";
import { applySlip, type Place, ROOT, readSources, type Slip } from "./slip.ts";

/* How a slip is tried: with the files of tests that enter its function, one after the other. */

export interface Placed {
	/** Number of the slip among all. */
	id: number;
	slip: Slip;
	place: Place;
}

export interface Trial extends Placed {
	/** Files of tests that enter the slip's function, the likely ones first. */
	files: string[];
	/** How many of them passed. */
	passed: number;
	/** The test that failed in the next file, once. It must fail twice, or chance would pass for notice. */
	failure: string | null;
	/** Vitest failed outside of every test while others were tried beside it. */
	isAlone: boolean;
	/** The test that noticed it. */
	noticed: string | null;
}

/** How long each file of tests takes, and which slips' functions it enters. */
type Known = Answer["files"];

const PROJECTS = ["unit", "signer", "service"];
const IN_BROWSERS = /^src\/(widget|demo|guide|pages)/;
/** Slips that are tried together, at most. */
const TOGETHER = 8;
/** Milliseconds that vitest takes to begin, whatever the file. */
const BEGIN_MS = 5_000;

export const sources = readSources();

/** Runs the tests with probes and without a slip. @throws when one fails */
export async function beginTrials(
	copy: Copy,
	placed: readonly Placed[],
): Promise<{ trials: Trial[]; known: Known }> {
	const setup = "test/support/patience.ts";
	for (const [file, slips] of Map.groupBy(placed, ({ place }) => place.file))
		copy.write(file, addProbes(sources.get(file)!, slips));
	copy.write(setup, readFileSync(join(ROOT, setup), "utf8") + SET_UP);
	const { failure, files } = await copy.ask(PROJECTS);
	if (failure) throw new Error(`without a slip this must pass: ${failure}`);
	takeSlips(copy, placed);
	copy.stop();
	const fresh = { passed: 0, failure: null, isAlone: false, noticed: null };
	return { trials: placed.map((one) => ({ ...one, files: filesFor(one, files), ...fresh })), known: files };
}

/** Some file of tests that could notice the slip has not run. */
function isOpen({ noticed, passed, files }: Trial): boolean {
	return !noticed && passed < files.length;
}

/**
 * Files of tests that enter the slip's function: the more of a file's calls are its and the sooner the file ends, the
 * earlier it stands; before all stand those with words of the source's path.
 */
function filesFor({ id, place }: Placed, known: Known): string[] {
	const words = place.file.split(/\W/).filter(({ length }) => length > 3);
	const ranked = Object.entries(known).map(([file, { milliseconds, entered }]) => {
		const all = Object.values(entered).reduce((sum, count) => sum + count, 0);
		const shared = words.filter((word) => file.includes(word)).length;
		return { file, rank: (10 ** shared * (entered[id] ?? 0)) / all / (milliseconds + BEGIN_MS) };
	});
	const files = ranked.filter(({ rank }) => rank > 0).toSorted((a, b) => b.rank - a.rank);
	return files.map(({ file }) => file);
}

/** Open slips, such that the next file of each enters none of the others: what fails there is its own. */
export function chooseRound(trials: readonly Trial[], known: Known): Trial[] {
	const enters = (file: string, { id }: Trial) => (known[file]!.entered[id] ?? 0) > 0;
	const areApart = (a: Trial, b: Trial) =>
		!(a.isAlone || b.isAlone || enters(nextFile(a), b) || enters(nextFile(b), a)) &&
		a.place.file !== b.place.file;
	const round: Trial[] = [];
	for (const one of trials.filter(isOpen).toSorted((a, b) => a.passed - b.passed))
		if (round.length < TOGETHER && round.every((other) => areApart(one, other))) round.push(one);
	return round;
}

function nextFile({ files, passed }: Trial): string {
	return files[passed]!;
}

/** Runs the next file of each slip of a round, all slips made. */
export async function tryRound(copy: Copy, round: readonly Trial[]): Promise<void> {
	makeSlips(copy, round);
	const { failure, files } = await copy.ask(PROJECTS, { files: round.map(nextFile) });
	takeSlips(copy, round);
	const isOfNoFile = failure !== null && Object.values(files).every((file) => !file.failure);
	for (const one of round)
		if (!isOfNoFile) note(one, files[nextFile(one)]!.failure);
		else if (round.length === 1) note(one, failure);
		else one.isAlone = true;
}

/** Notes what the slip's next file said: all passed, or the first test that failed. */
function note(one: Trial, failure: string | null): void {
	if (failure && one.failure) one.noticed = failure;
	if (!failure && one.failure) console.log(`UNSTEADY   ${one.failure}`);
	if (!failure) one.passed++;
	one.failure = failure;
}

/** Tries a slip with the files of tests in browsers: nothing says which of them enter its function. */
export async function tryBrowsers(copy: Copy, one: Trial): Promise<void> {
	if (!IN_BROWSERS.test(one.place.file)) return;
	const ask = async (files: string[] | null) => {
		// The service that browsers call starts with vitest, with the sources of then.
		copy.stop();
		return (await copy.ask(["browser"], { files, bail: true })).failure;
	};
	makeSlips(copy, [one]);
	note(one, await ask(null));
	if (one.failure) note(one, await ask([one.failure.split(" ")[0]!]));
	takeSlips(copy, [one]);
}

function makeSlips(copy: Copy, placed: readonly Placed[]): void {
	for (const { slip, place } of placed)
		copy.write(place.file, applySlip(slip, place, sources.get(place.file)!));
}

function takeSlips(copy: Copy, placed: readonly Placed[]): void {
	for (const { place } of placed) copy.write(place.file, sources.get(place.file)!);
}
