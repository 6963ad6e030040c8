import type { TestContext } from "vitest";

/* The system tests run small in CI, with a fixed seed, and large by `npm run test:system -- part --runs n --seed n`. */

export interface RunSize {
	runs: number;
	seed: number;
	/** Path of one sample of the seed, as a failure of fast-check names it. */
	path?: string;
	/** The version that this one runs beside; the newest tag, unless given. */
	ref?: string;
}

/** Whether this is a run of `npm run test:system`, which covers everything; otherwise the part that CI covers. */
export const isLongRun = (process.env.RUN_SIZE ?? "{}") !== "{}";

/** @param inCi - the size without `npm run test:system`. */
export function runSize(inCi: RunSize): RunSize {
	return { ...inCi, ...(JSON.parse(process.env.RUN_SIZE ?? "{}") as Partial<RunSize>) };
}

/** Draws every nth of the items, one at least, others at each turn; all of them in a long run. */
export function byTurns<Item>(items: readonly Item[], n: number, turn = 0): readonly Item[] {
	const every = Math.min(n, items.length);
	return isLongRun ? items : items.filter((_, i) => i % every === turn % every);
}

/** Pairs of two dimensions: every pair in a long run, otherwise each of the first with one of the others by turns. */
export function pairsByTurns<A, B>(firsts: readonly A[], others: readonly B[], from = 0): [A, B][] {
	return firsts.flatMap((first, i) =>
		byTurns(others, others.length, i + from).map((other): [A, B] => [first, other]),
	);
}

/** Leaves figures with the test's report; `npm run test:system` prints them. */
export function count(task: TestContext["task"], figures: Record<string, number | string>): void {
	const meta = task.meta as { figures?: Record<string, number | string> };
	meta.figures = { ...meta.figures, ...figures };
}
