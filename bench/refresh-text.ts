import type { KeptPart } from "./keep.ts";
import { summariseKept } from "./summarise-kept.ts";
import { measuresToMarkdown, tableToMarkdown } from "./table.ts";

/* `<!-- bench:part -->` … `<!-- /bench -->`: what stands between them is written by the last kept run. */
const SECTION = /(<!-- bench:([a-z]+) -->\n)[\s\S]*?(<!-- \/bench -->)/g;

/** @returns the text with every kept part's tables in its section; sections of other parts stay. */
export function refreshText(text: string, kept: Record<string, KeptPart>): string {
	return text.replaceAll(SECTION, (whole, opening: string, name: string, closing: string) => {
		if (name === "summary") return `${opening}\n${summariseKept(kept)}\n${closing}`;
		const part = kept[name];
		return part ? `${opening}\n${describe(part)}\n${closing}` : whole;
	});
}

function describe({ measures, tables = [], charts = [], skipped, ...run }: KeptPart): string {
	const blocks = [
		...charts.map(({ file, title }) => `![${title}](figures/${file}.svg)\n`),
		...(measures.length > 0 ? [`${measuresToMarkdown(measures)}\n`] : []),
		...tables.map((table) => `**${table.heading}**\n\n${tableToMarkdown(table)}\n`),
		...(skipped === undefined ? [] : [`Left out: ${skipped}.\n`]),
		`<sub>${run.at.slice(0, 16).replace("T", " ")} UTC, commit ${run.commit}${run.quick ? ", **quick run**" : ""}, ${run.seconds} s; ${run.machine}</sub>\n`,
	];
	return blocks.join("\n");
}
