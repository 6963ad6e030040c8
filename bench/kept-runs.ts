import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Measure, Table } from "./measure.ts";
import { figure } from "./table.ts";

const FILE = join(import.meta.dirname, "..", "docs", "contributors", "figures", "bench.json");

export interface Run {
	at: string;
	/** The commit that was measured, with "+" behind it if the tree was changed. */
	commit: string;
	quick: boolean;
	/** The machine, with its load when the run began. */
	machine: string;
	seconds: number;
	/** A sentence for the page's summary. */
	summary?: string;
	/** Why the part, or a contender of it, was left out. */
	skipped?: string;
}

interface KeptPart {
	run: Run;
	measures: Measure[];
	tables?: Table[];
}

/** docs/contributors/figures/bench.json: the last kept run of each part. */
export type KeptRuns = Record<string, KeptPart>;

export async function readKeptRuns(): Promise<KeptRuns> {
	return JSON.parse(await readFile(FILE, "utf8").catch(() => "{}"));
}

/** Writes a line for each measure and for each row of a table. */
export async function writeKeptRuns(kept: KeptRuns): Promise<void> {
	const parts = Object.entries(kept).map(([name, { run, measures, tables = [] }]) => {
		const shown = tables.map(
			({ heading, columns, rows }) =>
				`{ "heading": ${JSON.stringify(heading)}, "columns": ${JSON.stringify(columns)}, "rows": ${listLines(rows, 4)} }`,
		);
		const withTables = shown.length > 0 ? `,\n\t\t"tables": [${shown.join(", ")}]` : "";
		return `\t${JSON.stringify(name)}: {\n\t\t"run": ${JSON.stringify(run)},\n\t\t"measures": ${listLines(measures, 3)}${withTables}\n\t}`;
	});
	await writeFile(FILE, `{\n${parts.join(",\n")}\n}\n`);
}

function listLines(items: readonly unknown[], indent: number): string {
	if (items.length === 0) return "[]";
	const tabs = "\t".repeat(indent);
	return `[\n${items.map((item) => tabs + JSON.stringify(item)).join(",\n")}\n${tabs.slice(1)}]`;
}

/** @returns the measure with the digits that a table shows. */
export function roundMeasure(measure: Measure): Measure {
	const { ours, base, ratio, interval } = measure;
	const hundredths = (value: number) => Number(value.toFixed(2));
	return {
		...measure,
		ours: Number(figure(ours)),
		base: Number(figure(base)),
		ratio: hundredths(ratio),
		...(interval && { interval: [hundredths(interval[0]), hundredths(interval[1])] }),
	};
}
