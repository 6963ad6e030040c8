import { markdownTable } from "markdown-table";
import type { Measure, Table } from "./measure.ts";

/** Columns are padded for a terminal, not for a page. */
interface Options {
	padded: boolean;
}

/** @param kept - the measures of the last kept run. */
export function formatMeasures(
	measures: readonly Measure[],
	options: Options,
	kept: readonly Pick<Measure, "name" | "ratio">[] = [],
): string {
	const headings = ["measure", "ours", "base", "ratio", "95 %", "kept", "aim", "", "note"];
	const before = new Map(kept.map(({ name, ratio }) => [name, ratio]));
	const rows = measures.map((measure) => cells(measure, before.get(measure.name)));
	return format([headings, ...rows], (column) => column === 0 || column > 5, options);
}

export function formatTable({ columns, rows }: Table, options: Options): string {
	return format([columns, ...rows], (column) => column === 0, options);
}

/** Columns that are empty throughout are left out. */
function format(rows: readonly string[][], isText: (column: number) => boolean, { padded }: Options): string {
	const shown = [...rows[0]!.keys()].filter((column) => rows.slice(1).some((row) => row[column] !== ""));
	const align = shown.map((column) => (isText(column) ? "" : "r"));
	return markdownTable(
		rows.map((row) => shown.map((column) => row[column])),
		{ align, alignDelimiters: padded },
	);
}

function cells(
	{ name, unit, ours, base, ratio, interval, aim, passed, note }: Measure,
	kept?: number,
): string[] {
	return [
		name,
		`${figure(ours)} ${unit}`,
		`${figure(base)} ${unit}`,
		ratio.toFixed(2),
		interval ? interval.map((end) => end.toFixed(2)).join("–") : "",
		kept?.toFixed(2) ?? "",
		aim ? aimText(aim) : "",
		passed === null ? "" : passed ? "pass" : "FAIL",
		note ?? "",
	];
}

/** Three significant digits. */
export function figure(value: number): string {
	return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}

export function aimText(aim: NonNullable<Measure["aim"]>): string {
	if ("atMost" in aim) return `≤ ${aim.atMost}`;
	return "below" in aim ? `< ${aim.below}` : `≥ ${aim.atLeast}`;
}
