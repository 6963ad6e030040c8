import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
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
	const none = { type: "boolean", default: false } as const;
	const { values } = parseArgs({
		options: {
			...{ only: text, folder: text, part: text, draw: text, seed: text, out: text },
			...{ copies: { ...text, default: "1" }, "no-browsers": none },
		},
	});
	const { only, folder, part, draw, seed } = values;
	const rank = ({ slip }: Placed) => createHash("sha256").update(`${seed} ${slip.what}`).digest("hex");
	const [k = 1, n = 1] = part ? part.split("/").map(Number) : [];
	let chosen = placed
		.filter(({ slip, place }) => `${place.file} ${slip.what}`.includes(only))
		.filter(({ place }) => !folder || place.file.startsWith(`src/${folder}/`))
		.filter((_, i) => i % n === k - 1);
	if (draw) chosen = chosen.toSorted((a, b) => rank(a).localeCompare(rank(b))).slice(0, Number(draw));
	if (chosen.length === 0) throw new Error("no slip is what the options ask for");
	return { chosen, copies: Number(values.copies), browsers: !values["no-browsers"], out: values.out };
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
	const { chosen, copies, browsers, out } = chooseSlips(placed);
	const working = Array.from({ length: copies }, () => new Copy());
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
		const known = await readTests(working[0]!, chosen);
		const trials = chosen.map((one) => beginTrial(one, known));
		const tried = trials.filter(({ files }) => files.length > 0);
		const forBrowsers = trials.filter(({ files }) => files.length === 0);
		const work = async (copy: Copy) => {
			while (tried.some(({ state }) => state !== "ended")) {
				const round = chooseRound(tried, known);
				// What another copy tries may come back.
				if (round.length === 0) await setTimeout(1_000);
				else await tryRound(copy, round);
				const over = round.filter(({ state }) => state === "ended");
				forBrowsers.push(...over.filter(({ noticed }) => !noticed));
				for (const one of over.filter(({ noticed }) => noticed)) end(one);
			}
			for (let one = forBrowsers.shift(); one; one = forBrowsers.shift()) {
				if (browsers) await tryBrowsers(copy, one);
				end(one);
			}
		};
		await Promise.all(working.map(work));
	} finally {
		for (const copy of working) copy.remove();
		printTable(ended);
	}
	if (ended.some((one) => outcomeOf(one) === "MISSED")) process.exitCode = 1;
}

await main();
