import { afterAll, expect, test } from "vitest";
import { byTurns, count, isLongRun } from "../../support/run-size.ts";
import { DB_FAULTS } from "./db-faults.ts";
import { endFixtures } from "./expect-all-holds.ts";
import { runCell } from "./run-matrix.ts";
import type { UseCase } from "./use-cases.ts";

/** Each way in which a fault can leave the database and the object; CI has them by turns in every second use case: its two trips share them, and each use case begins two further on. */
const IN_CI = [
	"fails before",
	"commits, is away from then on",
	"its partner's writes are frozen",
	"the object dies after",
	"its partner moves away",
	"is mute for 80 s, then away, arrives after that",
];

/** Ends what hangs: a partner's move under one fault takes a minute of an idle machine, and many times that where it is shared. */
const CELL_HANGS_MS = 900_000;

/** A test for each use case, in the longer run for each way too in which D1 can fail under it, and one of the figures. */
export function describeMatrix(name: string, useCases: Record<string, UseCase>): void {
	/** Use cases so far, apart by whether an object does the work: an object's death needs one. */
	const turns = { object: 0, worker: 0 };
	const cells = byTurns(Object.entries(useCases), 2).flatMap(([useCase, { inObject }]) => {
		const turn = turns[inObject ? "object" : "worker"]++;
		const all = isLongRun ? Object.keys(DB_FAULTS) : ciKindsFrom(2 * turn);
		const kinds = all.filter((kind) => inObject || !kind.startsWith("the object"));
		return (isLongRun ? kinds.map((kind) => [kind]) : [kinds]).map((some) => [useCase, some] as const);
	});
	const faulted: Record<string, number> = {};

	afterAll(endFixtures);

	test.each(cells)(
		"%s, D1 or its object: %j, at every round trip: all invariants hold",
		async (useCase, kinds) => {
			const faults = Object.fromEntries(kinds.map((kind) => [kind, DB_FAULTS[kind]!]));
			const { faulted: met, ...cell } = await runCell(useCases[useCase]!, faults);
			expect(cell.violations).toEqual([]);
			expect(Object.keys(met)).not.toEqual([]);
			for (const [kind, n] of Object.entries(met)) faulted[kind] = (faulted[kind] ?? 0) + n;
		},
		CELL_HANGS_MS,
	);

	test("figures", ({ task }) => {
		count(task, Object.fromEntries(Object.entries(faulted).map(([kind, n]) => [`${name}, ${kind}`, n])));
		expect(Object.keys(faulted).length).toBeGreaterThanOrEqual(IN_CI.length);
	});
}

function ciKindsFrom(i: number): string[] {
	const first = i % IN_CI.length;
	return [...IN_CI.slice(first), ...IN_CI.slice(0, first)];
}
