import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { Copy } from "./copy.ts";
import { findPlace, SLIPS } from "./slip.ts";
import {
	beginTrials,
	chooseRound,
	type Placed,
	sources,
	type Trial,
	tryBrowsers,
	tryRound,
} from "./trial.ts";

/*
 * `npm run test:slips`: applies each slip in a copy of the project and runs the tests that enter its function, then those
 * in browsers, until one fails. A slip that none notices is a missing test. Options: docs/contributors/system-tests.md.
 */

function chooseSlips(placed: readonly Placed[]) {
	const text = { type: "string", default: "" } as const;
	const noBrowsers = { "no-browsers": { type: "boolean", default: false } } as const;
	const { values } = parseArgs({ options: { only: text, draw: text, seed: text, ...noBrowsers } });
	const { only, draw, seed } = values;
	const rank = ({ slip }: Placed) => createHash("sha256").update(`${seed} ${slip.what}`).digest("hex");
	const named = placed.filter(({ slip, place }) => `${place.file} ${slip.what}`.includes(only));
	const drawn = named.toSorted((a, b) => rank(a).localeCompare(rank(b))).slice(0, Number(draw));
	if (named.length === 0) throw new Error("no slip is what the options ask for");
	return { chosen: draw ? drawn : named, browsers: !values["no-browsers"] };
}

const outcomeOf = ({ noticed, slip }: Trial) =>
	noticed ? "noticed" : slip.unnoticed ? "explained" : "MISSED";

async function main(): Promise<void> {
	const placed = SLIPS.map((slip, id) => ({ id, slip, place: findPlace(slip, sources) }));
	const { chosen, browsers } = chooseSlips(placed);
	const copy = new Copy();
	const ended: Trial[] = [];
	const end = (one: Trial) => {
		ended.push(one);
		console.log(`${outcomeOf(one)}: ${one.place.file}: ${one.slip.what}\n    ${one.noticed ?? ""}`);
	};
	try {
		const { trials, known } = await beginTrials(copy, chosen);
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
		for (const [outcome, those] of Map.groupBy(ended, outcomeOf)) console.log(`${those.length} ${outcome}`);
	}
	if (ended.some((one) => outcomeOf(one) === "MISSED")) process.exitCode = 1;
}

await main();
