import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { LineChart } from "../../../bench/plot/chart.ts";
import { drawChart } from "../../../bench/plot/draw-chart.ts";
import type { Proof } from "../proof.ts";
import { ceilings, databasesFor, utilisationOfGreediest, utilisationOfOne, weightsOf } from "./capacity.ts";
import { bytesChart, bytesTable, capacityTable } from "./describe-bytes.ts";
import { clientsTable } from "./describe-clients.ts";
import * as queues from "./describe-queues.ts";
import { type Bytes, measureBytes } from "./measure-bytes.ts";
import { POLICIES } from "./place-partners.ts";
import { proveMove } from "./prove-move.ts";
import { readServiceTimes } from "./service-times.ts";
import { DATABASES, enough, growOne, Peak, VARIANTS } from "./spread-load.ts";
import { STATED_LOAD } from "./stated-load.ts";
import { refreshTables } from "./tables.ts";
import { validateSimulator } from "./validate-simulator.ts";

const root = join(import.meta.dirname, "../../..");
const BYTES = join(root, "docs/figures/scaling-weights.json");
const TEXTS = ["docs/scaling.md", "docs/spread.md"].map((text) => join(root, text));
const BULKS_A_MINUTE = 30;
const CHOSEN = "two choices";

/**
 * `npm run proof -- scaling [--minutes 6] [--seed 1] [--bytes] [--times file]`: the figures of docs/scaling.md from
 * the measured service times, or others; `--bytes` weighs the register's tables anew. With `--keep` plots and the text's tables follow.
 */
export const proveScaling: Proof = async (args) => {
	const { values } = parseArgs({
		args,
		options: {
			minutes: { type: "string", default: "6" },
			seed: { type: "string", default: "1" },
			bytes: { type: "boolean", default: false },
			times: { type: "string" },
		},
	});
	const keep = process.argv.includes("--keep");
	const size = { minutes: Number(values.minutes), seed: Number(values.seed) };
	const times = await readServiceTimes(values.times);
	if (values.bytes) await writeFile(BYTES, `${JSON.stringify(await measureBytes(60_000), null, "\t")}\n`);
	const bytes = JSON.parse(await readFile(BYTES, "utf8")) as Bytes;
	const weights = weightsOf(times, bytes.issued.certificates! - bytes.withoutLeaf.certificates!);

	const validation = validateSimulator(20_000, size.seed);
	const peak = new Peak(times, size);
	const runs = VARIANTS.flatMap((variant) =>
		DATABASES.map((databases) => peak.spread(variant, databases, CHOSEN)),
	);
	const policies = (Object.keys(POLICIES) as (keyof typeof POLICIES)[]).flatMap((policy) =>
		[4, 16, 64, 256].map((databases) => peak.spread(VARIANTS[0]!, databases, policy)),
	);
	const alone = growOne(times, size.minutes, size.seed);
	const move = proveMove({ writers: 2, writes: 1, movers: 2 });
	const load = utilisationOfOne(times, STATED_LOAD);
	const byBytes = runs.find(
		({ variant, queueing }) => variant === VARIANTS[0]!.name && queueing.databases === 128,
	)!;

	const tables = {
		bytes: bytesTable(bytes),
		capacity: capacityTable(weights),
		ceilings: queues.ceilingTable(ceilings(times), load),
		databases: queues.databasesTable(runs),
		calls: queues.callsTable(byBytes),
		policies: queues.policiesTable(policies),
		clients: await clientsTable(join(root, "docs/figures/bench.json")),
		move: move.table,
		source: `Service times: ${times.at.slice(0, 10)}, ${times.machine}. Simulated: ${peak.calls.toLocaleString("en-GB")} calls, ${size.minutes} minutes of the peak, seed ${size.seed}.`,
	};
	const charts = [
		bytesChart(weights),
		queues.utilisationChart(alone),
		queues.databasesChart(runs),
		queues.policiesChart(policies),
	];
	await keepFigures(keep, charts, tables);
	return {
		figures: {
			...size,
			calls: peak.calls,
			refused_by_limits: peak.refused,
			key_cache_missed: Number(peak.missed.toFixed(3)),
			one_database_utilisation: Number(
				Object.values(load)
					.reduce((sum, share) => sum + share, 0)
					.toFixed(3),
			),
			greediest_partner_utilisation: Number(
				utilisationOfGreediest(times, STATED_LOAD, BULKS_A_MINUTE).toFixed(3),
			),
			databases_by_bytes: databasesFor(1e8, weights, weights.issued, 0.15),
			databases_by_bytes_leaf_in_r2: databasesFor(1e8, weights, weights.withoutLeaf, 0.15),
			...Object.fromEntries(
				VARIANTS.flatMap(({ name }) =>
					[10, 50].map((ms) => [
						`databases_p99_${ms}ms, ${name}`,
						enough(
							runs.filter(({ variant }) => variant === name),
							ms,
						) ?? "more than 256",
					]),
				),
			),
			...Object.fromEntries(
				validation.map(({ queue, utilisation, theory, simulated, halfWidth }) => [
					`simulator_${queue}_${utilisation}`,
					`${simulated.toFixed(3)} ± ${halfWidth.toFixed(3)}, theory ${theory.toFixed(3)}`,
				]),
			),
			...move.figures,
		},
		violations: [
			...move.violations,
			...validation.filter(({ agrees }) => !agrees).map((row) => `simulator: ${JSON.stringify(row)}`),
		],
	};
};

async function keepFigures(
	keep: boolean,
	charts: readonly LineChart[],
	tables: Record<string, string>,
): Promise<void> {
	const folder = join(root, keep ? "docs/figures" : "test/system/results");
	await mkdir(folder, { recursive: true });
	for (const chart of charts) {
		await writeFile(join(folder, `${chart.file}.svg`), drawChart(chart));
		await writeFile(join(folder, `${chart.file}.json`), `${JSON.stringify(chart, null, "\t")}\n`);
	}
	for (const text of keep ? TEXTS : [])
		await writeFile(text, refreshTables(await readFile(text, "utf8"), tables));
}
