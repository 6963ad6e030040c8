import { expect, test } from "vitest";
import { isLongRun } from "../../support/run-size.ts";
import { findDifference } from "./find-difference.ts";
import { runSequence } from "./run-sequence.ts";
import { Disagreement } from "./service/disagreement.ts";
import { AUTHORITY } from "./service/operate.ts";
import { WRONG_MODELS } from "./wrong-models.ts";

/** Every third in CI; every night tries all. */
const tried = WRONG_MODELS.filter((_, i) => isLongRun || i % 3 === 0);

test.each(tried)(
	"the service is seen to disagree with a model in which $claims",
	{ timeout: 300_000 },
	async ({ model }) => {
		const sequence = await findDifference(model, AUTHORITY);
		await expect(runSequence(sequence, new Map(), model)).rejects.toBeInstanceOf(Disagreement);
		// The right model must pass this sequence.
		await runSequence(sequence, new Map());
	},
);
