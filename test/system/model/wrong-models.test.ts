import fc from "fast-check";
import { expect, test } from "vitest";
import { byTurns } from "../../support/run-size.ts";
import { type Apply, apply } from "./document/apply.ts";
import type { Call } from "./document/calls.ts";
import type { Expected } from "./document/expected.ts";
import { emptyWorld, type Ledger } from "./document/ledger.ts";
import { runSequence } from "./run-sequence.ts";
import type { Sequence } from "./sequences/commands.ts";
import { sequences } from "./sequences/generate-sequences.ts";
import { type Clock, play, type Stage } from "./sequences/play.ts";
import { Disagreement } from "./service/compare-with-service.ts";
import { AUTHORITY } from "./service/send.ts";
import { WRONG_MODELS } from "./wrong-models.ts";

/* Finds where a wrong model differs from the right one, without the service. */

const SEED = 1;
const MOST = 20_000;

/** @returns the first sequence on which the models' answers differ, shrunk. @throws when none of many is. */
async function findDifference(wrong: Apply, authority: Ledger["authority"]): Promise<Sequence> {
	const { counterexample, errorInstance } = await fc.check(
		fc.asyncProperty(sequences, (sequence) => playBoth(wrong, authority, sequence)),
		{ seed: SEED, numRuns: MOST },
	);
	if (!(errorInstance instanceof Disagreement))
		throw errorInstance ?? new Error(`the models agree on ${MOST} sequences`);
	return counterexample![0];
}

/** @throws {Disagreement} */
function playBoth(wrong: Apply, authority: Ledger["authority"], sequence: Sequence): Promise<void> {
	let now = Date.now();
	const clock: Clock = {
		now: () => now,
		pass: (milliseconds) => {
			now += milliseconds;
		},
	};
	return play(new TwoModels(wrong, emptyWorld(authority), clock), clock, sequence);
}

class TwoModels implements Stage {
	ledger: Ledger;
	#right: Ledger;
	readonly #wrong: Apply;
	readonly #clock: Clock;

	constructor(wrong: Apply, empty: Ledger, clock: Clock) {
		this.ledger = empty;
		this.#right = empty;
		this.#wrong = wrong;
		this.#clock = clock;
	}

	async make(call: Call): Promise<void> {
		const now = this.#clock.now();
		const wrong = this.#wrong(this.ledger, call, now);
		const right = apply(this.#right, call, now);
		if (answerOf(wrong.expected) !== answerOf(right.expected))
			throw new Disagreement([right.expected.outcome, wrong.expected.outcome]);
		this.ledger = wrong.ledger;
		this.#right = right.ledger;
	}
}

/** A call that is held has no answer yet that could differ. */
function answerOf({ outcome: _, ...answer }: Expected): string {
	return JSON.stringify(answer.status === 0 ? null : answer);
}

test.each(byTurns(WRONG_MODELS, 20))(
	"the service is seen to disagree with a model in which $claims",
	{ timeout: 300_000 },
	async ({ model }) => {
		const sequence = await findDifference(model, AUTHORITY);
		await expect(runSequence(sequence, new Map(), model)).rejects.toBeInstanceOf(Disagreement);
		// The right model must pass this sequence.
		await runSequence(sequence, new Map());
	},
);
