import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { drawChart } from "./chart.ts";
import { type KeptRuns, type Run, readKeptRuns, roundMeasure, writeKeptRuns } from "./kept-runs.ts";
import type { PartResult } from "./measure.ts";
import { summarise } from "./summary.ts";

const docs = join(import.meta.dirname, "..", "docs", "contributors");
const PAGE = join(docs, "benchmarks.md");
/** The last kept run writes the text between these comments. */
const SUMMARY = /(<!-- bench:summary -->\n)[\s\S]*?(<!-- \/bench -->)/;

export type FinishedPart = PartResult & { seconds: number };

/** Replaces the parts of a run in bench.json, the charts and the page's summary; parts that did not run stay as they are. */
export async function keepResults(
	results: Record<string, FinishedPart>,
	shared: Pick<Run, "at" | "commit" | "quick" | "machine">,
): Promise<void> {
	const kept = await readKeptRuns();
	for (const [name, result] of Object.entries(results)) {
		const { seconds, summary, skipped, measures, tables } = result;
		const run: Run = { ...shared, seconds, ...(summary && { summary }), ...(skipped && { skipped }) };
		kept[name] = { run, measures: measures.map(roundMeasure), ...(tables && { tables }) };
		for (const chart of result.charts ?? [])
			await writeFile(join(docs, "figures", `${chart.file}.svg`), await drawChart(chart));
	}
	await writeKeptRuns(kept);
	await writeFile(PAGE, refreshPage(await readFile(PAGE, "utf8"), kept));
}

/** @returns the page with the summary of all kept runs. */
export function refreshPage(page: string, kept: KeptRuns): string {
	return page.replace(
		SUMMARY,
		(_, opening: string, closing: string) => `${opening}\n${summarise(kept)}\n${closing}`,
	);
}
