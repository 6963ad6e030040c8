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

/** Pairs of two dimensions: every pair in the longer run, in CI each of the first with one of the others by turns. */
export function byTurns<A, B>(firsts: readonly A[], others: readonly B[], from = 0): [A, B][] {
	return firsts.flatMap((first, i) =>
		(isLongRun ? others : [others[(i + from) % others.length]!]).map((other): [A, B] => [first, other]),
	);
}

/** Every case in the longer run, every nth in CI. */
export function everyNth<T>(n: number, cases: readonly T[]): T[] {
	return cases.filter((_, i) => isLongRun || i % n === 0);
}

/** Leaves figures with the test's report; `npm run test:system` prints them. */
export function count(task: TestContext["task"], figures: Record<string, number | string>): void {
	const meta = task.meta as { figures?: Record<string, number | string> };
	meta.figures = { ...meta.figures, ...figures };
}
