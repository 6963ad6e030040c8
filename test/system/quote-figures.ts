import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "./proof.ts";

/** A run as `--keep` leaves it in docs/figures. */
export interface KeptRun extends Outcome {
	command: string;
	at: string;
	commit: string;
	machine: { text: string };
	seconds: number;
}

/** Which of its figures a page quotes of each part; the file has them all. */
const QUOTED: Record<string, readonly string[]> = {
	model: ["sequences", "calls", "outcomes reached"],
	histories: ["histories", "operations", "meanOverlap", "cutOffByCrash", "linearizable", "undecided"],
	crash: ["kills", "kills at a named step", "calls sent", "certificates issued", "leases left by a crash"],
	faults: ["tests", "faultedRuns", "calls in them", "answers 503", "of them held to have changed nothing"],
	fuzz: ["requests", "mutations used", "documented answers reached", "documented answers"],
	properties: ["tests", "runs"],
	interop: ["tests"],
};

const SECTION = /(<!-- proof:figures -->\n)[\s\S]*?(<!-- \/proof -->)/;

/** @returns the text with one row for each part that has a kept run in `folder`. */
export function quoteFigures(text: string, folder: string): string {
	const rows = Object.keys(QUOTED).flatMap((part) => {
		const file = join(folder, `${part}.json`);
		return existsSync(file) ? [describe(part, JSON.parse(readFileSync(file, "utf8")) as KeptRun)] : [];
	});
	const head = "| command | what was done | violations | when, for how long, on what |\n|---|---|--:|---|";
	return text.replace(SECTION, `$1\n${[head, ...rows].join("\n")}\n\n$2`);
}

function describe(part: string, { command, figures, violations, ...run }: KeptRun): string {
	const done = QUOTED[part]!.filter((name) => name in figures).map(
		(name) => `${figures[name]} ${spell(name)}`,
	);
	const when = `${run.at.slice(0, 16).replace("T", " ")} UTC, commit ${run.commit}, ${run.seconds} s; ${run.machine.text}`;
	return `| \`${command}\` | ${done.join(", ")} | ${violations.length} | ${when} |`;
}

function spell(name: string): string {
	return name.replaceAll(/([A-Z])/g, " $1").toLowerCase();
}
