/** A table as Markdown; the first column is text, the others are figures. */
export function markdownTable(
	headings: readonly string[],
	rows: readonly (readonly (string | number)[])[],
): string {
	const rule = headings.map((_, column) => (column === 0 ? "---" : "--:"));
	return [headings, rule, ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** Milliseconds, a count or a share with two or three digits that count. */
export function figure(value: number): string {
	if (!Number.isFinite(value)) return "–";
	const size = Math.abs(value);
	if (size >= 10_000) return value.toLocaleString("en-GB", { maximumFractionDigits: 0 });
	return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toFixed(2);
}

const SECTION = /(<!-- scaling:([a-z]+) -->\n)[\s\S]*?(<!-- \/scaling -->)/g;

/** Puts each table into its `<!-- scaling:name -->` … `<!-- /scaling -->`. @throws for a section that has no table. */
export function refreshTables(text: string, tables: Record<string, string>): string {
	return text.replaceAll(SECTION, (_, opening: string, name: string, closing: string) => {
		const table = tables[name];
		if (table === undefined) throw new Error(`no table for the section ${name}`);
		return `${opening}\n${table}\n\n${closing}`;
	});
}
