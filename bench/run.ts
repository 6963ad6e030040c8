import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type FinishedPart, keepResults } from "./keep.ts";
import { readKeptRuns } from "./kept-runs.ts";
import { describeCommit, describeMachine } from "./machine.ts";
import type { Part } from "./measure.ts";
import { measureAhead } from "./parts/ahead.ts";
import { measureBulk } from "./parts/bulk.ts";
import { measureBundle } from "./parts/bundle.ts";
import { measureBytes } from "./parts/bytes.ts";
import { measureClaim } from "./parts/claim.ts";
import { measureCost } from "./parts/cost.ts";
import { measureDatabases } from "./parts/databases.ts";
import { measureDistance } from "./parts/distance.ts";
import { measureGone } from "./parts/gone.ts";
import { measureGrowth } from "./parts/growth.ts";
import { measureIssue } from "./parts/issue.ts";
import { measureList } from "./parts/list.ts";
import { measureMove } from "./parts/move.ts";
import { measurePeers } from "./parts/peers.ts";
import { measurePfx } from "./parts/pfx.ts";
import { measureRevocation } from "./parts/revocation.ts";
import { measureRoutes } from "./parts/routes.ts";
import { measureSigner } from "./parts/signer.ts";
import { measureStatus } from "./parts/status.ts";
import { measureTimes } from "./parts/times.ts";
import { formatMeasures, formatTable } from "./table.ts";

/* `npm run bench [-- part…] [--quick] [--keep]`. docs/contributors/benchmarks.md describes what is measured and how. */

const PARTS: Record<string, Part> = {
	claim: measureClaim,
	issue: measureIssue,
	bulk: measureBulk,
	status: measureStatus,
	list: measureList,
	bundle: measureBundle,
	peers: measurePeers,
	pfx: measurePfx,
	routes: measureRoutes,
	revocation: measureRevocation,
	ahead: measureAhead,
	signer: measureSigner,
	distance: measureDistance,
	cost: measureCost,
	growth: measureGrowth,
	times: measureTimes,
	move: measureMove,
	databases: measureDatabases,
	gone: measureGone,
	bytes: measureBytes,
};

const { values, positionals } = parseArgs({
	options: {
		quick: { type: "boolean", default: false },
		keep: { type: "boolean", default: false },
	},
	allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
	console.error(`no part ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`);
	process.exit(2);
}

const machine = describeMachine().text;
const kept = await readKeptRuns();
const at = new Date().toISOString();
const results: Record<string, FinishedPart> = {};
for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
	process.stderr.write(`${name} … `);
	const started = performance.now();
	const result = await PARTS[name]!({ quick: values.quick });
	results[name] = { ...result, seconds: Math.round((performance.now() - started) / 1000) };
	process.stderr.write(`${results[name].seconds} s\n`);
}

console.log(`\n${machine}`);
for (const [name, { measures, tables = [], skipped }] of Object.entries(results)) {
	console.log(`\n${name}`);
	if (measures.length > 0)
		console.log(`\n${formatMeasures(measures, { padded: true }, kept[name]?.measures)}`);
	for (const table of tables) console.log(`\n${table.heading}\n\n${formatTable(table, { padded: true })}`);
	if (skipped !== undefined) console.log(`\nleft out: ${skipped}`);
}

const run = { at, commit: describeCommit(), quick: values.quick, machine };
if (values.keep) await keepResults(results, run);
const folder = join(import.meta.dirname, "results");
await mkdir(folder, { recursive: true });
const file = join(folder, `${at.replaceAll(":", "-").slice(0, 19)}.json`);
await writeFile(file, JSON.stringify({ ...run, results }, null, "\t"));
console.log(`\n${file}`);
