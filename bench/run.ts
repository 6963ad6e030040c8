import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { describeMachine } from "./machine.ts";
import type { Part, PartResult } from "./measure.ts";
import { measureBulk } from "./measure-bulk.ts";
import { measureBundle } from "./measure-bundle.ts";
import { measureClaim } from "./measure-claim.ts";
import { measureIssue } from "./measure-issue.ts";
import { measureList } from "./measure-list.ts";
import { measureStatus } from "./measure-status.ts";
import { formatTable } from "./table.ts";

/* `npm run bench [-- part…] [--quick]`. docs/benchmarks.md tells what is measured and how. */

const PARTS: Record<string, Part> = {
	claim: measureClaim,
	issue: measureIssue,
	bulk: measureBulk,
	status: measureStatus,
	list: measureList,
	bundle: measureBundle,
};

const { values, positionals } = parseArgs({
	options: { quick: { type: "boolean", default: false } },
	allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
	console.error(`no part ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`);
	process.exit(2);
}

const results: Record<string, PartResult & { seconds: number }> = {};
for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
	process.stderr.write(`${name} … `);
	const started = performance.now();
	const result = await PARTS[name]!({ quick: values.quick });
	results[name] = { ...result, seconds: Math.round((performance.now() - started) / 1000) };
	process.stderr.write(`${results[name].seconds} s\n`);
}

const machine = describeMachine();
console.log(`\n${machine.text}\n`);
console.log(formatTable(Object.values(results).flatMap(({ measures }) => measures)));
for (const { details = {} } of Object.values(results)) {
	for (const [heading, lines] of Object.entries(details))
		console.log(`\n${heading}\n  ${lines.join("\n  ")}`);
}

const folder = join(import.meta.dirname, "results");
await mkdir(folder, { recursive: true });
const at = new Date().toISOString();
const file = join(folder, `${at.replaceAll(":", "-").slice(0, 19)}.json`);
await writeFile(file, JSON.stringify({ at, quick: values.quick, machine, results }, null, "\t"));
console.log(`\n${file}`);
