import type { Command } from "./command.ts";

/* What people read; scripts take `--json`. */

/** Rows under the command's columns, or the fields of one thing, one a line. */
export function formatAnswer(command: Command, data: Record<string, unknown>): string {
	const shown = command.shows === "" ? data : data[command.shows];
	if (Array.isArray(shown)) return formatTable(shown as Record<string, unknown>[], command.columns);
	return formatFields((shown ?? data) as Record<string, unknown>);
}

function formatTable(
	rows: readonly Record<string, unknown>[],
	columns: readonly string[] | undefined,
): string {
	if (rows.length === 0) return "(none)";
	const names = columns ?? Object.keys(rows[0]!);
	const cells = [
		names.map((name) => name.toUpperCase()),
		...rows.map((row) => names.map((name) => cell(row[name]))),
	];
	const widths = names.map((_, i) => Math.max(...cells.map((line) => line[i]!.length)));
	return cells
		.map((line) =>
			line
				.map((text, i) => text.padEnd(widths[i]!))
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}

function formatFields(thing: Record<string, unknown>, indent = ""): string {
	const width = Math.max(0, ...Object.keys(thing).map((name) => name.length));
	return Object.entries(thing)
		.map(([name, value]) =>
			isRecord(value)
				? `${indent}${name}\n${formatFields(value, `${indent}  `)}`
				: `${indent}${name.padEnd(width)}  ${cell(value)}`,
		)
		.join("\n");
}

function cell(value: unknown): string {
	if (value === null || value === undefined) return "-";
	if (Array.isArray(value)) return value.map(cell).join(",") || "-";
	return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Help for everything, or for one command. */
export function formatHelp(commands: readonly Command[], command?: Command): string {
	if (command) {
		const options = Object.entries(command.options).map(
			([name, { help, required }]) => `  --${name.padEnd(22)}${help}${required ? " (required)" : ""}`,
		);
		return [
			`${command.name} ${command.takes.map((name) => `<${name}>`).join(" ")}`.trimEnd(),
			`  ${command.summary}`,
			...options,
			"",
			`Example: ${command.example}`,
		].join("\n");
	}
	const lines = commands.map(({ name, takes, summary }) => {
		const usage = [name, ...takes.map((argument) => `<${argument}>`)].join(" ");
		return `  ${usage.padEnd(40)}${summary}`;
	});
	return [
		"npm run ops -- <command> [--env local|dev|prod] [--url URL] [--json] [--yes] [--help]",
		"",
		...lines,
		"",
		"The token comes from the environment variable OPS_TOKEN (local: .dev.vars).",
		"Exit codes: 0 done, 1 refused or something amiss, 2 usage, 3 unreachable, 4 not confirmed.",
		"",
		"Examples:",
		...commands.slice(0, 3).map(({ example }) => `  ${example}`),
	].join("\n");
}
