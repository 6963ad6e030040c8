import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

/*
 * `npm run test:system -- part [--runs n] [--seed n] [--path p] [--ref tag]`: a part of the system tests at full size, with a new
 * seed. docs/contributors/system-tests.md says what each part does.
 */

interface Part {
	files: string[];
	/** Number of runs; each part defines its own: a sequence, a history, a kill, a batch of calls, a sample. */
	runs: number;
	/** Processes that share the runs, with seeds that follow each other. A model run has the process's one clock. */
	processes?: number;
}

const PARTS: Record<string, Part> = {
	model: { files: ["test/system/model"], runs: 2000, processes: availableParallelism() },
	histories: { files: ["test/system/histories"], runs: 500 },
	crash: { files: ["test/system/crash"], runs: 540 },
	faults: { files: ["test/system/faults"], runs: 1 },
	fuzz: { files: ["test/system/fuzz"], runs: 7500 },
	properties: { files: [".properties.test.ts"], runs: 20_000 },
	moves: { files: ["test/system/moves"], runs: 1 },
	versions: { files: ["test/system/versions"], runs: 60 },
	signer: { files: ["test/system/signer"], runs: 50 },
	restore: { files: ["test/system/restore"], runs: 1 },
	slips: { files: ["test/system/slips"], runs: 1 },
	interop: { files: ["test/interop"], runs: 1 },
	service: {
		files: [
			...["test/service", "test/unit/scripts", "signer/test", "test/system/guide"],
			...["test/system/db", "test/system/start", "test/system/commands", "test/system/deploy"],
		],
		runs: 1,
	},
	browser: { files: ["test/browser"], runs: 1 },
};

/** So many sequences reach every outcome of the model: the rarest are in some 5 of 1000. */
const REACHES_ALL = 2000;

const text = { type: "string" } as const;
const { values, positionals } = parseArgs({
	options: { runs: text, seed: text, path: text, ref: text },
	allowPositionals: true,
});
const [name = ""] = positionals;
const part = PARTS[name];
if (!part) {
	console.error(`usage: npm run test:system -- ${Object.keys(PARTS).join("|")} [--runs n] [--seed n]`);
	process.exit(2);
}
const { path, ref } = values;
const runs = Number(values.runs ?? part.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs takes a whole number from 1 on");
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const processes = path === undefined ? Math.min(part.processes ?? 1, runs) : 1;

const started = performance.now();
const ended = await Promise.all(
	Array.from({ length: processes }, (_, i) =>
		runVitest(
			{
				runs: Math.ceil((runs - i) / processes),
				seed: seed + i,
				...(path && { path }),
				...(ref && { ref }),
			},
			// What has no seed is tested by the first process alone.
			i === 0 ? [] : ["--exclude", "**/wrong-models.test.ts"],
		),
	),
);
const seconds = Math.round((performance.now() - started) / 1000);
const lists = ended.map(
	({ output }) => /outcomes not reached: (.+)/.exec(output)?.[1]?.split(", ") ?? ["it says not which"],
);
const unreached = lists[0]!.filter((one) => one !== "none" && lists.every((list) => list.includes(one)));
const reachesAll = name === "model" && runs >= REACHES_ALL && path === undefined;
const isComplete = !reachesAll || unreached.length === 0;
if (!isComplete) console.error(`no process reached: ${unreached.join(", ")}`);
const passed = isComplete && ended.every(({ code }) => code === 0);
console.log(`${name} --runs ${runs} --seed ${seed}: ${passed ? "passed" : "FAILED"}, ${seconds} s`);
process.exit(passed ? 0 : 1);

/** @returns what vitest ended with, null by a signal; and what it printed. */
async function runVitest(size: object, options: string[]): Promise<{ code: number | null; output: string }> {
	const reporters = ["--reporter=default", "--reporter=./test/system/figures-reporter.ts"];
	const vitest = spawn("vitest", ["run", ...reporters, ...options, ...part!.files], {
		stdio: ["ignore", "pipe", "inherit"],
		env: { ...process.env, RUN_SIZE: JSON.stringify(size) },
	});
	let output = "";
	vitest.stdout.on("data", (chunk) => {
		process.stdout.write(chunk);
		output += chunk;
	});
	const [code] = (await once(vitest, "close")) as [number | null];
	return { code, output };
}
