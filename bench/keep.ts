import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeCommit, type describeMachine } from "./machine.ts";
import type { PartResult } from "./measure.ts";
import { drawChart } from "./plot/draw-chart.ts";
import { refreshText } from "./refresh-text.ts";

const root = join(import.meta.dirname, "..");
const folder = join(root, "docs", "figures");

export interface KeptPart extends Omit<PartResult, "serviceTimes"> {
	at: string;
	/** Of the tree that was measured, "+" behind it where that was changed. */
	commit: string;
	quick: boolean;
	/** The machine, with its load when the run began. */
	machine: string;
	seconds: number;
}

interface Run {
	at: string;
	quick: boolean;
	machine: ReturnType<typeof describeMachine>;
	results: Record<string, PartResult & { seconds: number }>;
}

/**
 * Puts a run's parts into docs/figures/bench.json, in the place of what was there of them, draws their charts,
 * and renews the tables of docs/benchmarks.md. Parts that did not run stay as they are.
 */
export async function keepResults({ at, quick, machine, results }: Run): Promise<void> {
	await mkdir(folder, { recursive: true });
	const file = join(folder, "bench.json");
	const kept = JSON.parse(await readFile(file, "utf8").catch(() => "{}")) as Record<string, KeptPart>;
	const commit = describeCommit();
	for (const [name, { serviceTimes, ...result }] of Object.entries(results)) {
		kept[name] = { at, commit, quick, machine: machine.text, ...result };
		if (serviceTimes) await writeJson(join(folder, "service-times.json"), serviceTimes);
		for (const chart of result.charts ?? [])
			await writeFile(join(folder, `${chart.file}.svg`), drawChart(chart));
	}
	await writeJson(file, kept);
	const text = join(root, "docs", "benchmarks.md");
	await writeFile(text, refreshText(await readFile(text, "utf8"), kept));
}

async function writeJson(file: string, value: unknown): Promise<void> {
	await writeFile(file, `${JSON.stringify(value, null, "\t")}\n`);
}
