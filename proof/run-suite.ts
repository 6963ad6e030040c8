import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Outcome, Proof } from "./proof.ts";

interface Report {
	testResults: { assertionResults: Assertion[] }[];
}

interface Assertion {
	fullName: string;
	status: string;
	failureMessages: string[];
	meta?: { figures?: Outcome["figures"] };
}

/**
 * An instrument that is a part of the test suite, run at another size: `--runs` and `--seed` reach the tests through
 * `test/support/proof-size.ts`, and what they `count` comes back with vitest's report.
 *
 * @param files - paths of test files or folders.
 * @param size - the size of the longer run, where the command line names none.
 */
export function suite(files: string[], size: { runs: number }): Proof {
	return async (args) => {
		const { values } = parseArgs({
			args,
			options: { runs: { type: "string" }, seed: { type: "string" } },
		});
		const chosen = {
			runs: Number(values.runs ?? size.runs),
			seed: Number(values.seed ?? Date.now() % 2 ** 31),
		};
		const folder = mkdtempSync(join(tmpdir(), "proof-"));
		const file = join(folder, "report.json");
		spawnSync("vitest", ["run", "--reporter=default", "--reporter=json", `--outputFile=${file}`, ...files], {
			stdio: ["ignore", "inherit", "inherit"],
			env: { ...process.env, PROOF_SIZE: JSON.stringify(chosen) },
		});
		const report = JSON.parse(readFileSync(file, "utf8")) as Report;
		rmSync(folder, { recursive: true });
		return read(report, chosen);
	};
}

function read(report: Report, size: { runs: number; seed: number }): Outcome {
	const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
	const failed = tests.filter(({ status }) => status === "failed");
	return {
		figures: Object.assign(
			{ ...size, tests: tests.filter(({ status }) => status === "passed").length },
			...tests.map(({ meta }) => meta?.figures ?? {}),
		),
		violations:
			tests.length === 0
				? ["no test ran"]
				: failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0] ?? ""}`),
	};
}
