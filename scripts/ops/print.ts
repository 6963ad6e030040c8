import Table from "cli-table3";
import type { OpsCommand } from "./command.ts";

/* Prints answers without `--json`. */

/** Columns two blanks apart, no lines. */
const PLAIN = {
	chars: Object.fromEntries(
		["top", "bottom", "left", "right", "mid"]
			.flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
			.concat("mid-mid", "middle")
			.map((place) => [place, place === "middle" ? "  " : ""]),
	),
	style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
};

/** Rows under the command's columns, or the fields of one thing, one a line. */
export function formatAnswer(command: OpsCommand, data: Record<string, unknown>): string {
	const shown = command.shows === "" ? data : data[command.shows];
	if (Array.isArray(shown)) return formatRows(shown as Record<string, unknown>[], command.columns);
	return formatFields((shown ?? data) as Record<string, unknown>);
}

function formatRows(rows: readonly Record<string, unknown>[], columns?: readonly string[]): string {
	if (rows.length === 0) return "(none)";
	const names = columns ?? Object.keys(rows[0]!);
	return draw([
		names.map((name) => name.toUpperCase()),
		...rows.map((row) => names.map((name) => cell(row[name]))),
	]);
}

/** A field that holds fields stands above them. */
function formatFields(thing: Record<string, unknown>): string {
	return draw(fieldLines(thing, ""));
}

function fieldLines(thing: Record<string, unknown>, indent: string): string[][] {
	return Object.entries(thing).flatMap(([name, value]) =>
		isRecord(value)
			? [[indent + name, ""], ...fieldLines(value, `${indent}  `)]
			: [[indent + name, cell(value)]],
	);
}

function draw(lines: string[][]): string {
	const table = new Table(PLAIN);
	table.push(...lines);
	return table.toString().replace(/ +$/gm, "");
}

function cell(value: unknown): string {
	if (value === null || value === undefined) return "-";
	if (Array.isArray(value)) return value.map(cell).join(",") || "-";
	return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
