import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { OUTCOMES } from "../test/model/outcomes.ts";
import type { Outcome, Proof } from "./proof.ts";

/*
 * Random sequences of calls against the model of the interface document (test/model), in as many processes as there
 * are cores: a service's clock is its process's, so one process runs one sequence at a time.
 */

const FILE = "test/model/model.test.ts";
const RUNS = 2000;
/** A run of this many sequences reaches every outcome that the model knows. */
const LONG_RUN = 1000;

interface Report {
	testResults: {
		message: string;
		assertionResults: {
			status: string;
			failureMessages: string[];
			meta?: { figures?: Record<string, number> };
		}[];
	}[];
}

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

async function runShare(size: { seed: number; runs: number; path?: string }): Promise<Report> {
	const folder = mkdtempSync(join(tmpdir(), "proof-model-"));
	const file = join(folder, "report.json");
	const vitest = spawn("vitest", ["run", "--reporter=json", `--outputFile=${file}`, FILE], {
		stdio: ["ignore", "ignore", "inherit"],
		env: { ...process.env, PROOF_SIZE: JSON.stringify(size) },
	});
	await once(vitest, "exit");
	const report = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : NO_REPORT;
	rmSync(folder, { recursive: true });
	console.log(`seed ${size.seed}, ${size.runs} sequences:`, tellEnd(report));
	return report;
}

const NO_REPORT: Report = { testResults: [{ message: "vitest left no report", assertionResults: [] }] };

/** The shares end minutes apart: each says how, when it does. */
function tellEnd({ testResults }: Report): string {
	const failures = testResults.flatMap(({ message, assertionResults }) =>
		assertionResults.length === 0
			? [message]
			: assertionResults.flatMap(({ failureMessages }) => failureMessages),
	);
	return failures.length === 0 ? "agreed" : failures.join("\n");
}

function merge(shares: readonly { seed: number }[], reports: readonly Report[]): Outcome {
	const files = reports.flatMap(({ testResults }) => testResults);
	const tests = files.flatMap(({ assertionResults }) => assertionResults);
	const reached = new Map<string, number>();
	for (const { meta } of tests)
		for (const [figure, n] of Object.entries(meta?.figures ?? {}))
			reached.set(figure, (reached.get(figure) ?? 0) + n);
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
			...files.filter(({ assertionResults }) => assertionResults.length === 0).map(({ message }) => message),
			...tests.filter(({ status }) => status !== "passed").flatMap(({ failureMessages }) => failureMessages),
			...(sequences < LONG_RUN ? [] : missing.map((outcome) => `never reached: ${outcome}`)),
		],
	};
}
