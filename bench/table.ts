import type { Measure } from "./measure.ts";

const HEADINGS = ["measure", "ours", "base", "ratio", "95 %", "aim", "", "note"];

export function formatTable(measures: readonly Measure[]): string {
	const rows = [HEADINGS, ...measures.map(cells)];
	const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
	const isText = (column: number) => column === 0 || column > 4;
	const line = (row: readonly string[]) =>
		row
			.map((cell, column) => (isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
			.join("  ")
			.trimEnd();
	return rows.map(line).join("\n");
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

function figure(value: number): string {
	return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}

function aimText(aim: NonNullable<Measure["aim"]>): string {
	if ("atMost" in aim) return `≤ ${aim.atMost}`;
	return "below" in aim ? `< ${aim.below}` : `≥ ${aim.atLeast}`;
}
