import { afterAll, expect, test } from "vitest";
import { execute } from "../../support/db.ts";
import { byTurns } from "../../support/run-size.ts";
import { carryOn, checkInvariants } from "./check-invariants.ts";
import { endFixtures } from "./expect-all-holds.ts";
import { Fixture } from "./fixture.ts";
import { PARTNER_CALLS } from "./partner-use-cases.ts";
import { runCell } from "./run-matrix.ts";
import type { SeededFaults } from "./seed-faults.ts";
import { SEEDED_IN_DB } from "./seeded-in-db.ts";
import { SEEDED_OUTSIDE } from "./seeded-outside.ts";

/* The checker itself: a service that is made to break a promise, and the line that must report it. */

afterAll(endFixtures);

const SEEDED_FAULTS: SeededFaults = { ...SEEDED_IN_DB, ...SEEDED_OUTSIDE };

test.each(byTurns(Object.keys(SEEDED_FAULTS), 3))("%s: the check says so", async (name) => {
	const fixture = await Fixture.create();
	const partner = await fixture.partner();
	const pCode = await fixture.validated(partner);
	expect(await checkInvariants(fixture)).toEqual([]);
	const [seed, reported] = SEEDED_FAULTS[name]!;
	await seed({ fixture, partner, pCode });
	expect(await checkInvariants(fixture)).toContainEqual(expect.stringMatching(reported));
});

test("a code that cannot be claimed any more: carrying on says so", async () => {
	const fixture = await Fixture.create();
	const pCode = await fixture.validated(await fixture.partner());
	await execute("UPDATE holders SET rut_index = ? WHERE code = ?", "A".repeat(43), pCode);
	expect(await carryOn(fixture)).toEqual([
		expect.stringMatching(/^4: \S+ cannot be carried on: VALIDATED 406/),
	]);
});

/** No fault at all, once. */
const NONE = {
	inDoubt: false,
	arrives: true,
	run: async (_: Fixture, nth: number, act: () => Promise<unknown>) => {
		await act();
		return nth === 1;
	},
};

test("a bystander's rows change: the cell says so", async () => {
	const list = PARTNER_CALLS.list!;
	const act: typeof list.act = async (fixture, partner, target) => {
		await execute(
			"UPDATE batches SET created_at = created_at + 1 WHERE partner_id = ?",
			fixture.partners[0]!.id,
		);
		return list.act(fixture, partner, target);
	};
	const { violations } = await runCell({ ...list, act }, { NONE });
	expect(violations).toEqual(["6: another partner's rows have changed"]);
});

test("an answer that is not the use case's own: the cell says so", async () => {
	const { violations } = await runCell({ ...PARTNER_CALLS.list!, success: 206 }, { NONE });
	expect(violations).toEqual(["answer: 200, not 206 or 503"]);
});
