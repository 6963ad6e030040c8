import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { OUTCOMES } from "./model/document/outcomes.ts";
import type { Outcome, Proof } from "./proof.ts";
import { runVitest, type VitestRun } from "./run-vitest.ts";

/*
 * Random sequences of calls against the model of the interface document (test/model), in as many processes as there
 * are cores: a service's clock is its process's, so one process runs one sequence at a time.
 */

const FILE = "test/system/model/model.test.ts";
const RUNS = 2000;
/** A run of this many sequences reaches every outcome that the model knows. */
const LONG_RUN = 1000;

/**
 * `--runs` sequences in all, shared by `--shards` processes whose seeds follow on `--seed`. With `--path`, as a failure
 * names it, that sequence of the seed alone.
 */
export const proveModel: Proof = async (args) => {
	const { values } = parseArgs({
		args,
		options: {
			runs: { type: "string" },
			seed: { type: "string" },
			shards: { type: "string" },
			path: { type: "string" },
		},
	});
	const runs = Number(values.runs ?? RUNS);
	const seed = Number(values.seed ?? Date.now() % 2 ** 31);
	const { path } = values;
	const shards = path === undefined ? Number(values.shards ?? availableParallelism()) : 1;
	const shares = Array.from({ length: shards }, (_, i) => ({
		seed: seed + i,
		runs: Math.ceil((runs - i) / shards),
		...(path !== undefined && { path }),
	}));
	return merge(shares, await Promise.all(shares.map(runShare)));
};

async function runShare(size: { seed: number; runs: number; path?: string }): Promise<VitestRun> {
	const run = await runVitest([FILE], size, false);
	// The shares end minutes apart: each says how, when it does.
	console.log(`seed ${size.seed}, ${size.runs} sequences:`, run.failures.join("\n") || "agreed");
	return run;
}

function merge(shares: readonly { seed: number }[], runs: readonly VitestRun[]): Outcome {
	const reached = new Map<string, number>();
	for (const { meta } of runs.flatMap(({ tests }) => tests))
		for (const [figure, n] of Object.entries(meta?.figures ?? {}))
			reached.set(figure, (reached.get(figure) ?? 0) + Number(n));
	const { sequences = 0, calls = 0, ...outcomes } = Object.fromEntries(reached);
	const missing = OUTCOMES.filter((outcome) => !reached.has(outcome));
	return {
		figures: {
			seeds: shares.map(({ seed }) => seed).join(" "),
			sequences,
			calls,
			"outcomes reached": OUTCOMES.length - missing.length,
			"outcomes of the model": OUTCOMES.length,
			...Object.fromEntries(Object.entries(outcomes).sort()),
		},
		violations: [
			...runs.flatMap(({ failures }) => failures),
			...(sequences < LONG_RUN ? [] : missing.map((outcome) => `never reached: ${outcome}`)),
		],
	};
}
