import { afterAll, expect, test } from "vitest";
import { watchEveryTrip } from "../../support/failing-db.ts";
import { count, isLongRun } from "../../support/run-size.ts";
import { DB_FAULTS } from "./db-faults.ts";
import { runCell } from "./run-matrix.ts";
import type { UseCase } from "./use-cases.ts";

/** Each way in which a fault can leave the database and the object is tried in CI; the longer run tries all faults. */
const IN_CI = [
	"fails before",
	"commits, is away from then on",
	"is mute for 80 s, then away, arrives after that",
	"the object dies after",
];

/** A test for each use case and each way in which D1 can fail under it, and one that leaves the figures. */
export function describeMatrix(name: string, useCases: Record<string, UseCase>): void {
	const kinds = isLongRun ? Object.keys(DB_FAULTS) : IN_CI;
	const cells = Object.entries(useCases).flatMap(([useCase, { inObject }]) =>
		kinds
			.filter((kind) => inObject || !kind.startsWith("the object"))
			.map((kind) => [useCase, kind] as const),
	);
	const faulted: Record<string, number> = {};

	afterAll(() => {
		watchEveryTrip(null);
	});

	test.each(cells)(
		"%s, D1 or its object: %s, at every round trip: all invariants hold",
		async (useCase, kind) => {
			const { faulted: met, ...cell } = await runCell(useCases[useCase]!, DB_FAULTS[kind]!);
			expect(cell.violations).toEqual([]);
			expect(met).toBeGreaterThan(0);
			faulted[kind] = (faulted[kind] ?? 0) + met;
		},
		120_000,
	);

	test("figures", ({ task }) => {
		const figures = Object.entries(faulted).map(([kind, n]) => [`${name}, ${kind}`, n]);
		count(task, Object.fromEntries(figures));
		expect(figures).toHaveLength(kinds.length);
	});
}
