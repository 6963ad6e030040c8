import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeCommit, describeMachine } from "../../bench/machine.ts";
import { proveCrashes } from "./crash/run-crash.ts";
import { fuzz } from "./fuzz/fuzz.ts";
import { proveModel } from "./model.ts";
import type { Proof } from "./proof.ts";
import { type KeptRun, quoteFigures } from "./quote-figures.ts";
import { suite } from "./run-suite.ts";

/*
 * `npm run proof -- part [options]`. docs/proof.md tells what each part does, and what it found; with `--keep` the
 * result goes into docs/figures, beside the text that quotes it.
 */

const PARTS: Record<string, Proof> = {
	crash: proveCrashes,
	model: proveModel,
	histories: suite(["test/system/histories"], { runs: 500 }),
	faults: suite(["test/system/faults"], { runs: 1000 }),
	interop: suite(["test/interop"], { runs: 1 }),
	fuzz,
	properties: suite(
		[
			"test/unit/domain/readings.properties",
			"test/unit/http/fields.properties",
			"test/unit/http/values.properties",
			"test/unit/x509/bytes.properties",
		],
		{
			runs: 20_000,
		},
	),
};

const keep = process.argv.includes("--keep");
const [name = "", ...args] = process.argv.slice(2).filter((word) => word !== "--keep");
const proof = PARTS[name];
if (!proof) {
	console.error(`usage: npm run proof -- ${Object.keys(PARTS).join("|")} [options]`);
	process.exit(2);
}

const started = performance.now();
const commit = describeCommit();
const { figures, violations } = await proof(args);
const result: KeptRun = {
	command: ["npm run proof --", name, ...args].join(" "),
	at: new Date().toISOString(),
	commit,
	machine: describeMachine(),
	seconds: Math.round((performance.now() - started) / 1000),
	figures,
	violations,
};

const folder = join(import.meta.dirname, keep ? "../../docs/figures" : "results");
await mkdir(folder, { recursive: true });
await writeFile(join(folder, `${name}.json`), `${JSON.stringify(result, null, "\t")}\n`);
if (keep) {
	const text = join(import.meta.dirname, "../../docs/proof.md");
	await writeFile(text, quoteFigures(await readFile(text, "utf8"), folder));
}

console.log(`\n${result.command}: ${result.seconds} s, ${result.machine.text}`);
for (const [what, figure] of Object.entries(figures)) console.log(`  ${what}: ${figure}`);
for (const violation of violations) console.log(`  BROKEN ${violation}`);
console.log(`  violations: ${violations.length}`);
process.exit(violations.length === 0 ? 0 : 1);
