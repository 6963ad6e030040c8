import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	appendFileSync,
	cpSync,
	existsSync,
	globSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { applySlip, findPlace, type Place, ROOT, readSources, SLIPS, type Slip } from "./slip.ts";

/*
 * `npm run test:slips`: applies each slip in a copy of the project and runs the tests, the likely ones first, until one
 * fails. A slip that none notices is a missing test. docs/contributors/system-tests.md has the options.
 */

const LAYERS = ["narrow", "whole", "browser"] as const;
type Layer = (typeof LAYERS)[number];

interface Judged {
	what: string;
	file: string;
	/** The layer that noticed; null: none did. */
	layer: Layer | null;
	/** The first test that failed. */
	test: string | null;
	seconds: number;
	unnoticed: string | null;
}

/** A slip may make its tests run for ever, which somebody would notice. */
const RUN_MS = 15 * 60_000;
const PROJECTS = ["--project=unit", "--project=service"];
/** Files that git does not have and tests need. */
const LOCAL = [".dev.vars", "public/docs"];
/** Folders of tests for the folders of src/ that have none of their own name. */
const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
	services: ["desk"],
	wire: ["desk"],
	audit: ["ops"],
	kit: ["pages"],
};
const IN_BROWSERS = /^src\/(widget|holder|(ops-)?console|demo|guide|pages)/;

/** A copy of the files that git knows or would take, with this project's packages. */
function copyProject(): string {
	const copy = mkdtempSync(join(tmpdir(), "slips-"));
	const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
		cwd: ROOT,
		encoding: "utf8",
	});
	for (const file of [...listed.split("\0"), ...LOCAL].filter((file) => file && existsSync(join(ROOT, file))))
		cpSync(join(ROOT, file), join(copy, file), { recursive: true });
	symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
	return copy;
}

/** Arguments for vitest; null: the layer has nothing for this file. */
function testsOf(layer: Layer, file: string): string[] | null {
	if (layer === "whole") return PROJECTS;
	if (layer === "browser") return IN_BROWSERS.test(file) ? ["--project=browser"] : null;
	const folders = dirname(file).split("/").slice(1).toReversed();
	const [likely] = folders
		.map((folder) => [folder, ...(NEIGHBOURS[folder] ?? [])].flatMap(testFolders))
		.filter((found) => found.length > 0);
	return likely ? [...PROJECTS, ...likely] : null;
}

function isProject(option: string): boolean {
	return option.startsWith("--project=");
}

/** The folders of that name with unit or service tests. */
function testFolders(name: string): string[] {
	return globSync(`test/{unit,service}/**/${name}`, { cwd: ROOT }).map((folder) => `${folder}/`);
}

/** @returns the first test that failed, its file first, or null. */
function runTests(copy: string, tests: readonly string[], workers: string): string | null {
	const output = join(copy, "slip-report.json");
	rmSync(output, { force: true });
	const options = ["--bail=1", "--reporter=json", `--outputFile=${output}`];
	if (workers) options.push(`--maxWorkers=${workers}`);
	const limits = { timeout: RUN_MS, killSignal: "SIGKILL", stdio: "ignore" } as const;
	const { status } = spawnSync("vitest", ["run", ...options, ...tests], { cwd: copy, ...limits });
	if (status === null) return `test/ has no end within ${RUN_MS / 60_000} minutes`;
	if (!existsSync(output)) throw new Error(`vitest reported nothing of ${tests.join(" ")}`);
	return status === 0 ? null : firstFailure(JSON.parse(readFileSync(output, "utf8")));
}

interface Report {
	testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[];
}

/** The file and name of the test; a file that failed outside of its tests has no name of one. */
function firstFailure({ testResults }: Report): string {
	for (const { name, status, assertionResults } of testResults) {
		const test = assertionResults.find((result) => result.status === "failed");
		if (test || status === "failed") return [name.replace(/^.*?\/test\//, "test/"), test?.fullName].join(" ");
	}
	return "test/ has an error outside of every test";
}

function chooseSlips(placed: { slip: Slip; place: Place }[]) {
	const text = { type: "string", default: "" } as const;
	const { values } = parseArgs({
		options: {
			only: text,
			folder: text,
			part: text,
			draw: text,
			seed: text,
			layers: text,
			workers: text,
			out: text,
		},
	});
	const { only, folder, part, draw, seed, workers, out } = values;
	const layers = values.layers ? LAYERS.filter((layer) => values.layers.split(",").includes(layer)) : LAYERS;
	const rank = ({ slip }: { slip: Slip }) =>
		createHash("sha256").update(`${seed} ${slip.what}`).digest("hex");
	const [k = 1, n = 1] = part ? part.split("/").map(Number) : [];
	let chosen = placed
		.filter(({ slip, place }) => `${place.file} ${slip.what}`.includes(only))
		.filter(({ place }) => !folder || place.file.startsWith(`src/${folder}/`))
		.filter((_, i) => i % n === k - 1);
	if (draw) chosen = chosen.toSorted((a, b) => rank(a).localeCompare(rank(b))).slice(0, Number(draw));
	if (chosen.length === 0) throw new Error("no slip is what the options ask for");
	return { chosen, layers, workers, out };
}

function printTable(judged: readonly Judged[]): void {
	const byFolder = Map.groupBy(judged, ({ file }) => file.split("/")[1]!);
	const count = (slips: readonly Judged[], layer: Layer) => slips.filter((one) => one.layer === layer).length;
	const rowOf = (slips: readonly Judged[]) => ({
		slips: slips.length,
		noticed: slips.filter(({ layer }) => layer !== null).length,
		narrow: count(slips, "narrow"),
		whole: count(slips, "whole"),
		browser: count(slips, "browser"),
		explained: slips.filter(({ layer, unnoticed }) => layer === null && unnoticed !== null).length,
		seconds: Math.round(slips.reduce((sum, { seconds }) => sum + seconds, 0)),
	});
	const rows = [...byFolder].map(([folder, slips]) => [folder, rowOf(slips)] as const);
	console.table(Object.fromEntries([...rows, ["all", rowOf(judged)]]));
}

function main(): void {
	const sources = readSources();
	const { chosen, layers, workers, out } = chooseSlips(
		SLIPS.map((slip) => ({ slip, place: findPlace(slip, sources) })),
	);
	const copy = copyProject();
	const judged: Judged[] = [];
	/** Runs of the tests without a slip, which must pass. */
	const healthy = new Set<string>();
	try {
		for (const { slip, place } of chosen) {
			const { what, unnoticed } = slip;
			const { file } = place;
			const began = Date.now();
			let [layer, test]: [Layer | null, string | null] = [null, null];
			for (const one of layers) {
				const tests = testsOf(one, file);
				if (tests === null || layer !== null) continue;
				const failure = healthy.has(tests.join()) ? null : runTests(copy, tests, workers);
				if (failure) throw new Error(`without a slip this must pass: ${failure}`);
				healthy.add(tests.join());
				writeFileSync(join(copy, file), applySlip(slip, place, sources.get(file)!));
				test = runTests(copy, tests, workers);
				// A test that fails by chance would pass for one that notices.
				const again = test && runTests(copy, [...tests.filter(isProject), test.split(" ")[0]!], workers);
				if (test && !again) console.log(`UNSTEADY   ${test}`);
				test = again;
				writeFileSync(join(copy, file), sources.get(file)!);
				if (test) layer = one;
			}
			const one: Judged = { what, file, layer, test, seconds: (Date.now() - began) / 1_000, unnoticed };
			judged.push(one);
			if (out) appendFileSync(out, `${JSON.stringify({ ...one, layers })}\n`);
			const outcome = layer ?? (unnoticed ? "EXPLAINED" : "MISSED");
			console.log(`${outcome.padEnd(9)}  ${file}: ${what}${test ? `\n           ${test}` : ""}`);
		}
	} finally {
		rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
		if (judged.length > 0) printTable(judged);
	}
	const missed = judged.filter(({ layer, unnoticed }) => layer === null && unnoticed === null);
	process.exitCode = missed.length > 0 ? 1 : 0;
}

main();
