import { afterAll, expect, test } from "vitest";
import { codeRow, MINUTE, passTime } from "../../support/look-inside.ts";
import { checkInvariants } from "./check-invariants.ts";
import { endWorlds } from "./expect-all-holds.ts";
import { clearLateMarks } from "./late-marks.ts";
import { REGISTER_FAULTS } from "./register-faults.ts";
import { LEASE_OVER, World } from "./world.ts";

/* D1 fails to answer the statement that marks a step as running, and writes it when the step was answered and settled. */

afterAll(endWorlds);

const LATE = REGISTER_FAULTS["fails, arrives after the answer"]!;
const ROUND_TRIPS = 8;

test.for(["request", "claim"] as const)(
	"the mark of a %s arrives late: it ends with its lease, and the upkeep clears it",
	async (verb) => {
		const world = await World.create();
		const partner = await world.partner();
		let marks = 0;
		for (let late = 1; late <= ROUND_TRIPS; late++) {
			const pCode = verb === "claim" ? await world.validated(partner) : await world.code(partner);
			await LATE.run(world, late, () => world[verb](pCode), pCode);
			const { processing_until: until } = await codeRow(pCode);
			if (until === null) continue;
			marks++;
			expect(world.seen.at(-1)!.answer.status).toBe(503);
			expect(until).toBeLessThanOrEqual(Date.now() + LEASE_OVER);
			expect((await partner.listed(pCode)).processing).toBe(1);
			passTime(LEASE_OVER);
			expect((await partner.listed(pCode)).processing).toBe(0);
			passTime(10 * MINUTE);
			const found = await checkInvariants(world);
			expect(found).toEqual([`reconcile: stale_step ${pCode}`]);
			expect(await clearLateMarks(found)).toEqual([]);
			expect(await checkInvariants(world)).toEqual([]);
		}
		expect(marks).toBe(1);
	},
);
