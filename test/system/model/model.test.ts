import fc from "fast-check";
import { expect, test } from "vitest";
import { count, runSize } from "../../support/run-size.ts";
import { OUTCOMES, RARE } from "./document/outcomes.ts";
import { runSequence } from "./run-sequence.ts";
import type { Sequence } from "./sequences/commands.ts";
import { sequences } from "./sequences/generate-sequences.ts";
import type { Tally } from "./service/compare-with-service.ts";

/** So many sequences reach every outcome of the model: the rarest are in some 8 of 1000, and one run in 250 misses one. */
const LONG_RUN = 1000;

const size = runSize({ runs: 100, seed: 20261121 });

test("every answer and both statuses of every code are the model's, for any calls at any time", {
	timeout: 10_800_000,
}, async ({ task }) => {
	const tally: Tally = new Map();
	const property = fc.asyncProperty(sequences, (sequence) => runSequence(sequence, tally));
	const details = await fc.check(property, {
		numRuns: size.runs,
		seed: size.seed,
		...(size.path && { path: size.path }),
	});
	const reached = [...tally].sort();
	count(task, {
		sequences: details.numRuns,
		"outcomes reached": tally.size,
		"outcomes of the model": OUTCOMES.length,
		calls: reached.reduce((sum, [, times]) => sum + times, 0),
		...Object.fromEntries(reached),
	});
	if (details.failed) throw new Error(describeFailure(details));
	const missing = OUTCOMES.filter((outcome) => !tally.has(outcome));
	if (size.runs >= LONG_RUN) expect(missing).toEqual([]);
	expect(
		reached.map(([outcome]) => outcome).filter((outcome) => ![...OUTCOMES, ...RARE].includes(outcome)),
	).toEqual([]);
});

/** Command to run it again, the shrunk sequence, and its failure. */
function describeFailure(details: fc.RunDetails<[Sequence]>): string {
	const { seed, counterexamplePath, counterexample, errorInstance } = details;
	return [`seed ${seed}, path ${counterexamplePath}`, JSON.stringify(counterexample), errorInstance].join(
		"\n",
	);
}
