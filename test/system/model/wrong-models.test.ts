import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { runSequence } from "./run-sequence.ts";
import { generateSequence } from "./sequences/generate-sequences.ts";
import { Disagreement } from "./service/disagreement.ts";
import { WRONG_MODELS } from "./wrong-models.ts";

const ENOUGH = 60;

afterEach(() => vi.restoreAllMocks());

test.each(WRONG_MODELS)(
	"the service is seen to disagree with a model in which $claims",
	{ timeout: 300_000 },
	async ({ model, profile, seed }) => {
		const { counterexample, errorInstance } = await fc.check(
			fc.asyncProperty(generateSequence(profile), (sequence) => runSequence(sequence, new Map(), model)),
			{ numRuns: ENOUGH, seed, endOnFailure: true },
		);
		expect(errorInstance).toBeInstanceOf(Disagreement);
		// With the right model the same sequence is no counterexample.
		await runSequence(counterexample![0], new Map());
	},
);
