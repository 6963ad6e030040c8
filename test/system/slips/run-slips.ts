import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { applySlip, type Slip } from "./slip.ts";
import { SLIPS } from "./slips.ts";

/*
 * `npm run test:slips`: applies each slip in a copy of the project and runs its test file, which must fail. A slip
 * that no test notices is a missing test. `-- --only text` takes the slips whose file or description has the text.
 */

interface Report {
	numPassedTests: number;
	numFailedTests: number;
	testResults: { name: string; message: string; assertionResults: { fullName: string; status: string }[] }[];
}

const ROOT = resolve(import.meta.dirname, "../../..");
/** A slip must not make its test run for ever: then it is another slip that is wanted. */
const RUN_MS = 15 * 60_000;
/** Not in git, and needed to run tests. */
const LOCAL = [".dev.vars"];

/** A copy of the files that git knows or would take, with this project's packages. */
function copyProject(): string {
	const copy = mkdtempSync(join(tmpdir(), "slips-"));
	const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
		cwd: ROOT,
		encoding: "utf8",
	});
	for (const file of [...listed.split("\0").filter(Boolean), ...LOCAL])
		cpSync(join(ROOT, file), join(copy, file), { recursive: true });
	symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
	return copy;
}

/** @throws when vitest reports nothing, or when a file failed before any of its tests ran. */
function runTests(copy: string, files: readonly string[]): Report {
	const output = join(copy, "slip-report.json");
	rmSync(output, { force: true });
	const options = [
		"--project=unit",
		"--project=service",
		"--bail=1",
		"--reporter=json",
		`--outputFile=${output}`,
	];
	const { stderr, error } = spawnSync("vitest", ["run", ...options, ...files], {
		cwd: copy,
		encoding: "utf8",
		timeout: RUN_MS,
		killSignal: "SIGKILL",
	});
	if (error) throw new Error(`${files.join(", ")}: ${error.message}`);
	try {
		return JSON.parse(readFileSync(output, "utf8"));
	} catch {
		throw new Error(`vitest reported nothing of ${files.join(", ")}:\n${stderr}`);
	}
}

/** Tests that failed, and files that failed outside of their tests. */
function failuresIn({ testResults }: Report): string[] {
	return testResults.flatMap(({ name, message, assertionResults }) => {
		const failed = assertionResults.filter(({ status }) => status === "failed");
		return assertionResults.length === 0 ? [`${name}: ${message}`] : failed.map(({ fullName }) => fullName);
	});
}

/** Whether a test failed with the slip in place. */
function isNoticed(copy: string, slip: Slip): boolean {
	const path = join(copy, slip.file);
	const text = readFileSync(path, "utf8");
	writeFileSync(path, applySlip(slip, text));
	try {
		const { numFailedTests, numPassedTests } = runTests(copy, [slip.test]);
		if (numFailedTests + numPassedTests === 0)
			throw new Error(`${slip.test} did not run with "${slip.what}"`);
		return numFailedTests > 0;
	} finally {
		writeFileSync(path, text);
	}
}

function main(): void {
	const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
	const slips = SLIPS.filter(({ file, what }) => `${file} ${what}`.includes(values.only));
	const copy = copyProject();
	try {
		for (const slip of slips) applySlip(slip, readFileSync(join(copy, slip.file), "utf8"));
		const files = [...new Set(slips.map(({ test }) => test))];
		const failures = failuresIn(runTests(copy, files));
		if (failures.length > 0) throw new Error(`without a slip these must pass:\n${failures.join("\n")}`);
		const missed = slips.filter((slip) => {
			const noticed = isNoticed(copy, slip);
			console.log(`${noticed ? "noticed" : "MISSED "}  ${slip.file}: ${slip.what}`);
			return !noticed;
		});
		console.log(`${slips.length - missed.length} of ${slips.length} slips noticed`);
		process.exitCode = missed.length > 0 ? 1 : 0;
	} finally {
		rmSync(copy, { recursive: true });
	}
}

main();
