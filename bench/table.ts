import type { Measure } from "./measure.ts";

/** Rows told below the ratios: the first column is text, the others are figures. */
export interface Table {
	heading: string;
	columns: string[];
	rows: string[][];
}

const HEADINGS = ["measure", "ours", "base", "ratio", "95 %", "aim", "", "note"];
const isText = (column: number) => column === 0 || column > 4;

/** The ratios as aligned columns. */
export function formatMeasures(measures: readonly Measure[]): string {
	return alignColumns([HEADINGS, ...measures.map(cells)], isText);
}

/** The same as a Markdown table. */
export function measuresToMarkdown(measures: readonly Measure[]): string {
	return toMarkdown([HEADINGS, ...measures.map(cells)], isText);
}

export function formatTable({ columns, rows }: Table): string {
	return alignColumns([columns, ...rows], (column) => column === 0);
}

export function tableToMarkdown({ columns, rows }: Table): string {
	return toMarkdown([columns, ...rows], (column) => column === 0);
}

function alignColumns(rows: readonly string[][], isText: (column: number) => boolean): string {
	const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
	const align = (cell: string, column: number) =>
		isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
	return rows.map((row) => row.map(align).join("  ").trimEnd()).join("\n");
}

/** Columns that are empty throughout are left out. */
function toMarkdown(rows: readonly string[][], isText: (column: number) => boolean): string {
	const shown = [...rows[0]!.keys()].filter((column) => rows.slice(1).some((row) => row[column] !== ""));
	const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
	const [head, ...body] = rows.map((row) => line(shown.map((column) => row[column]!)));
	const rule = `|${shown.map((column) => (isText(column) ? "---" : "--:")).join("|")}|`;
	return [head, rule, ...body].join("\n");
}

function cells({ name, unit, ours, base, ratio, interval, aim, passed, note }: Measure): string[] {
	return [
		name,
		`${figure(ours)} ${unit}`,
		`${figure(base)} ${unit}`,
		ratio.toFixed(2),
		interval ? interval.map((end) => end.toFixed(2)).join("–") : "",
		aim ? aimText(aim) : "",
		passed === null ? "" : passed ? "pass" : "FAIL",
		note ?? "",
	];
}

/** Three digits that count. */
export function figure(value: number): string {
	return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}

function aimText(aim: NonNullable<Measure["aim"]>): string {
	if ("atMost" in aim) return `≤ ${aim.atMost}`;
	return "below" in aim ? `< ${aim.below}` : `≥ ${aim.atLeast}`;
}
