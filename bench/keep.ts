import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { drawChart } from "./chart.ts";
import { type KeptRuns, type Run, readKeptRuns, toKeptFigure, writeKeptRuns } from "./kept-runs.ts";
import type { PartResult } from "./measure.ts";
import { summarise } from "./summary.ts";
import { formatMeasures, formatTable } from "./table.ts";

const docs = join(import.meta.dirname, "..", "docs", "contributors");
const PAGE = join(docs, "benchmarks.md");
/** `<!-- bench:part -->` … `<!-- /bench -->`: the text between them is written by the last kept run. */
const SECTION = /(<!-- bench:([a-z]+) -->\n)[\s\S]*?(<!-- \/bench -->)/g;

export type FinishedPart = PartResult & { seconds: number };

/** Replaces the parts of a run in bench.json, in the charts and in the page; parts that did not run stay as they are. */
export async function keepResults(
	results: Record<string, FinishedPart>,
	shared: Pick<Run, "at" | "commit" | "quick" | "machine">,
): Promise<void> {
	const kept = await readKeptRuns();
	const sections: Record<string, string> = {};
	for (const [name, result] of Object.entries(results)) {
		const { seconds, summary, measures } = result;
		const run: Run = { ...shared, seconds, ...(summary && { summary }) };
		kept[name] = { run, measures: measures.map(toKeptFigure) };
		sections[name] = describe(result, run);
		for (const chart of result.charts ?? [])
			await writeFile(join(docs, "figures", `${chart.file}.svg`), await drawChart(chart));
	}
	await writeKeptRuns(kept);
	await writeFile(PAGE, refreshPage(await readFile(PAGE, "utf8"), sections, kept));
}

/** @returns the page with these sections and the summary of all kept runs; other sections stay. */
export function refreshPage(page: string, sections: Record<string, string>, kept: KeptRuns): string {
	return page.replaceAll(SECTION, (whole, opening: string, name: string, closing: string) => {
		const section = name === "summary" ? summarise(kept) : sections[name];
		return section === undefined ? whole : `${opening}\n${section}\n${closing}`;
	});
}

/** The Markdown of a part's section. */
export function describe({ measures, tables = [], charts = [], skipped }: PartResult, run: Run): string {
	const quick = run.quick ? ", **quick run**" : "";
	const blocks = [
		...charts.map(({ file, title }) => `![${title}](figures/${file}.svg)\n`),
		...(measures.length > 0 ? [`${formatMeasures(measures, { padded: false })}\n`] : []),
		...tables.map((table) => `**${table.heading}**\n\n${formatTable(table, { padded: false })}\n`),
		...(skipped === undefined ? [] : [`Left out: ${skipped}.\n`]),
		`<sub>${run.at.slice(0, 16).replace("T", " ")} UTC, commit ${run.commit}${quick}, ${run.seconds} s; ${run.machine}</sub>\n`,
	];
	return blocks.join("\n");
}
