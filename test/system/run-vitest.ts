import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Outcome } from "./proof.ts";

/** One file, as vitest's JSON tells it. A file that died outside its tests may tell of none. */
export interface FileResult {
	name: string;
	status: string;
	message: string;
	assertionResults: {
		fullName: string;
		status: string;
		failureMessages: string[];
		meta?: { figures?: Outcome["figures"] };
	}[];
}

export interface VitestRun {
	tests: FileResult["assertionResults"];
	/** All that failed, within a test or outside of any; empty only when vitest itself was content. */
	failures: string[];
}

const ROOT = resolve(import.meta.dirname, "../..");

/**
 * Runs files of the test suite at another size, which reaches them through `test/support/proof-size.ts`; what they
 * `count` comes back with each test.
 *
 * @param shown - whether vitest's own account goes to the terminal.
 */
export async function runVitest(files: readonly string[], size: object, shown: boolean): Promise<VitestRun> {
	const folder = mkdtempSync(join(tmpdir(), "proof-"));
	const file = join(folder, "report.json");
	const reporters = shown ? ["--reporter=default", "--reporter=json"] : ["--reporter=json"];
	const vitest = spawn("vitest", ["run", ...reporters, `--outputFile=${file}`, ...files], {
		stdio: ["ignore", shown ? "inherit" : "ignore", "inherit"],
		env: { ...process.env, PROOF_SIZE: JSON.stringify(size) },
	});
	const [code] = (await once(vitest, "exit")) as [number | null];
	const results = existsSync(file)
		? (JSON.parse(readFileSync(file, "utf8")).testResults as FileResult[])
		: [];
	rmSync(folder, { recursive: true });
	return readRun(results, code);
}

/** @param code - what vitest ended with; null by a signal. */
export function readRun(results: readonly FileResult[], code: number | null): VitestRun {
	const tests = results.flatMap(({ assertionResults }) => assertionResults);
	const failures = results.flatMap((result) => failuresOf(result).map(withoutRoot));
	if (failures.length === 0 && !tests.some(({ status }) => status === "passed"))
		failures.push("no test passed");
	if (failures.length === 0 && code !== 0) failures.push(`vitest ended with ${code}`);
	return { tests, failures };
}

function failuresOf({ name, status, message, assertionResults }: FileResult): string[] {
	const failed = assertionResults.filter((test) => test.status === "failed");
	const outside = failed.length === 0 && (status === "failed" || assertionResults.length === 0);
	return [
		...failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0] ?? ""}`),
		...(outside ? [`${name}, outside its tests: ${message}`] : []),
	];
}

/** Where the project lies on this machine is nobody's business. */
function withoutRoot(text: string): string {
	return text.replaceAll(`${ROOT}/`, "").replaceAll(`${ROOT.slice(1)}/`, "");
}
