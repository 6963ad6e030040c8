import type { TestContext } from "vitest";

/* The larger instruments run small in CI, with one seed for ever, and large by `npm run proof`, with a new one. */

export interface ProofSize {
	runs: number;
	seed: number;
}

/** @param inCi - the size without `npm run proof`. */
export function proofSize(inCi: ProofSize): ProofSize {
	return { ...inCi, ...(JSON.parse(process.env.PROOF_SIZE ?? "{}") as Partial<ProofSize>) };
}

/** Leaves figures with the test's report; `npm run proof` prints and keeps them. */
export function count(task: TestContext["task"], figures: Record<string, number | string>): void {
	const meta = task.meta as { figures?: Record<string, number | string> };
	meta.figures = { ...meta.figures, ...figures };
}
