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
			...["test/service", "test/unit/scripts", "signer/test"],
			...["test/system/db", "test/system/start", "test/system/commands", "test/system/deploy"],
		],
		runs: 1,
	},
	browser: { files: ["test/browser"], runs: 1 },
};

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
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const processes = path === undefined ? (part.processes ?? 1) : 1;

const started = performance.now();
const codes = await Promise.all(
	Array.from({ length: processes }, (_, i) =>
		runVitest({
			runs: Math.ceil((runs - i) / processes),
			seed: seed + i,
			...(path && { path }),
			...(ref && { ref }),
		}),
	),
);
const seconds = Math.round((performance.now() - started) / 1000);
const passed = codes.every((code) => code === 0);
console.log(`${name} --runs ${runs} --seed ${seed}: ${passed ? "passed" : "FAILED"}, ${seconds} s`);
process.exit(passed ? 0 : 1);

/** @returns what vitest ended with; null by a signal. */
async function runVitest(size: object): Promise<number | null> {
	const reporters = ["--reporter=default", "--reporter=./test/system/figures-reporter.ts"];
	const vitest = spawn("vitest", ["run", ...reporters, ...part!.files], {
		stdio: ["ignore", "inherit", "inherit"],
		env: { ...process.env, RUN_SIZE: JSON.stringify(size) },
	});
	const [code] = (await once(vitest, "exit")) as [number | null];
	return code;
}
