import { afterAll, expect, test } from "vitest";
import { type Crimes, run } from "./break-promises.ts";
import { carryOn, checkInvariants } from "./check-invariants.ts";
import { CRIMES_IN_REGISTER } from "./crimes-in-register.ts";
import { CRIMES_SEEN_OUTSIDE } from "./crimes-seen-outside.ts";
import { endWorlds } from "./expect-all-holds.ts";
import { PARTNER_CALLS } from "./partner-use-cases.ts";
import { runCell } from "./run-matrix.ts";
import { World } from "./world.ts";

/* The checker itself: a service that is made to break a promise, and the line that must tell of it. */

afterAll(endWorlds);

const CRIMES: Crimes = { ...CRIMES_IN_REGISTER, ...CRIMES_SEEN_OUTSIDE };

test.each(Object.keys(CRIMES))("%s: the check says so", async (name) => {
	const world = await World.create();
	const partner = await world.partner();
	const pCode = await world.validated(partner);
	expect(await checkInvariants(world)).toEqual([]);
	const [crime, told] = CRIMES[name]!;
	await crime({ world, partner, pCode });
	expect(await checkInvariants(world)).toContainEqual(expect.stringMatching(told));
});

test("a code that cannot be claimed any more: carrying on says so", async () => {
	const world = await World.create();
	const pCode = await world.validated(await world.partner());
	await run("UPDATE holders SET rut_index = ? WHERE code = ?", "A".repeat(43), pCode);
	expect(await carryOn(world)).toEqual([
		expect.stringMatching(/^4: \S+ cannot be carried on: VALIDATED 406/),
	]);
});

/** No fault at all, once. */
const NONE = {
	inDoubt: false,
	arrives: true,
	run: async (_: World, nth: number, act: () => Promise<unknown>) => {
		await act();
		return nth === 1;
	},
};

test("a bystander's rows change: the cell says so", async () => {
	const list = PARTNER_CALLS.list!;
	const act: typeof list.act = async (world, partner, target) => {
		await run("UPDATE batches SET product = 'FV99' WHERE partner_id = ?", world.partners[0]!.id);
		return list.act(world, partner, target);
	};
	const { violations } = await runCell({ ...list, act }, NONE);
	expect(violations).toEqual(["6: another partner's rows have changed"]);
});

test("an answer that is not the use case's own: the cell says so", async () => {
	const { violations } = await runCell({ ...PARTNER_CALLS.list!, success: 206 }, NONE);
	expect(violations).toEqual(["answer: 200, not 206 or 503"]);
});
