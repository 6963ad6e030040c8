import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Copy } from "./copy.ts";
import { findPlace, readSources, SLIPS } from "./slip.ts";
import {
	beginTrial,
	chooseRound,
	type Placed,
	readTests,
	type Trial,
	tryBrowsers,
	tryRound,
} from "./trial.ts";

/*
 * `npm run test:slips`: applies each slip in a copy of the project and runs the tests that enter its function, then those
 * in browsers, until one fails. A slip that none notices is a missing test. docs/contributors/system-tests.md has the
 * options.
 */

function chooseSlips(placed: readonly Placed[]) {
	const text = { type: "string", default: "" } as const;
	const options = { only: text, draw: text, seed: text, out: text };
	const noBrowsers = { "no-browsers": { type: "boolean", default: false } } as const;
	const { values } = parseArgs({ options: { ...options, ...noBrowsers } });
	const { only, draw, seed, out } = values;
	const rank = ({ slip }: Placed) => createHash("sha256").update(`${seed} ${slip.what}`).digest("hex");
	const named = placed.filter(({ slip, place }) => `${place.file} ${slip.what}`.includes(only));
	const drawn = named.toSorted((a, b) => rank(a).localeCompare(rank(b))).slice(0, Number(draw));
	if (named.length === 0) throw new Error("no slip is what the options ask for");
	return { chosen: draw ? drawn : named, browsers: !values["no-browsers"], out };
}

function outcomeOf({ noticed, slip }: Trial): "noticed" | "explained" | "MISSED" {
	if (noticed) return "noticed";
	return slip.unnoticed ? "explained" : "MISSED";
}

function printTable(trials: readonly Trial[]): void {
	const byFolder = Map.groupBy(trials, ({ place }) => place.file.split("/")[1]!);
	const rowOf = (slips: readonly Trial[]) => {
		const byOutcome = Map.groupBy(slips, outcomeOf);
		const counts = [...byOutcome].map(([outcome, those]) => [outcome, those.length]);
		return { slips: slips.length, ...Object.fromEntries(counts) };
	};
	const rows = [...byFolder].map(([folder, slips]) => [folder, rowOf(slips)] as const);
	console.table(Object.fromEntries([...rows, ["all", rowOf(trials)]]));
}

async function main(): Promise<void> {
	const sources = readSources();
	const placed = SLIPS.map((slip, id) => ({ id, slip, place: findPlace(slip, sources) }));
	const { chosen, browsers, out } = chooseSlips(placed);
	const copy = new Copy();
	const ended: Trial[] = [];
	const end = (one: Trial) => {
		ended.push(one);
		const { slip, place, noticed } = one;
		const outcome = outcomeOf(one);
		console.log(
			`${outcome.padEnd(9)}  ${place.file}: ${slip.what}${noticed ? `\n           ${noticed}` : ""}`,
		);
		if (out)
			appendFileSync(out, `${JSON.stringify({ what: slip.what, file: place.file, outcome, noticed })}\n`);
	};
	try {
		const known = await readTests(copy, chosen);
		const trials = chosen.map((one) => beginTrial(one, known));
		for (let round = chooseRound(trials, known); round.length > 0; round = chooseRound(trials, known)) {
			await tryRound(copy, round);
			for (const one of round) if (one.noticed) end(one);
		}
		for (const one of trials.filter(({ noticed }) => !noticed)) {
			if (browsers) await tryBrowsers(copy, one);
			end(one);
		}
	} finally {
		copy.remove();
		printTable(ended);
	}
	if (ended.some((one) => outcomeOf(one) === "MISSED")) process.exitCode = 1;
}

await main();
