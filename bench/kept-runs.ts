import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Measure } from "./measure.ts";
import { figure } from "./table.ts";

const FILE = join(import.meta.dirname, "..", "docs", "contributors", "figures", "bench.json");

/** Of a measure, what the page quotes. */
export type KeptFigure = Pick<Measure, "name" | "unit" | "ours" | "base" | "ratio" | "interval">;

export interface Run {
	at: string;
	/** Of the tree that was measured, "+" behind it where that was changed. */
	commit: string;
	quick: boolean;
	/** The machine, with its load when the run began. */
	machine: string;
	seconds: number;
	/** A sentence for the page's summary. */
	summary?: string;
}

/** docs/contributors/figures/bench.json: the last kept run of each part. */
export type KeptRuns = Record<string, { run: Run; measures: KeptFigure[] }>;

export async function readKeptRuns(): Promise<KeptRuns> {
	return JSON.parse(await readFile(FILE, "utf8").catch(() => "{}"));
}

/** A line for each measure. */
export async function writeKeptRuns(kept: KeptRuns): Promise<void> {
	const parts = Object.entries(kept).map(([name, { run, measures }]) => {
		const lines = measures.map((measure) => `\t\t\t${JSON.stringify(measure)}`);
		const list = lines.length > 0 ? `[\n${lines.join(",\n")}\n\t\t]` : "[]";
		return `\t${JSON.stringify(name)}: {\n\t\t"run": ${JSON.stringify(run)},\n\t\t"measures": ${list}\n\t}`;
	});
	await writeFile(FILE, `{\n${parts.join(",\n")}\n}\n`);
}

/** With the digits that the page shows. */
export function toKeptFigure({ name, unit, ours, base, ratio, interval }: Measure): KeptFigure {
	const hundredths = (value: number) => Number(value.toFixed(2));
	return {
		name,
		unit,
		ours: Number(figure(ours)),
		base: Number(figure(base)),
		ratio: hundredths(ratio),
		...(interval && { interval: [hundredths(interval[0]), hundredths(interval[1])] }),
	};
}
