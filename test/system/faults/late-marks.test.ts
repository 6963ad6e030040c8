import { env } from "cloudflare:workers";
import { afterAll, expect, test } from "vitest";
import { MINUTE_MS } from "../../../src/domain/durations.ts";
import { runJobs } from "../../../src/jobs/run.ts";
import { platformOf } from "../../../src/platform.ts";
import { passTime } from "../../support/clock.ts";
import { codeRow } from "../../support/look-inside.ts";
import { checkInvariants } from "./check-invariants.ts";
import { DB_FAULTS } from "./db-faults.ts";
import { endFixtures } from "./expect-all-holds.ts";
import { Fixture, LEASE_OVER } from "./fixture.ts";

/* D1 fails to answer the statement that marks a step as running, and writes it when the step was answered and recovered. */

afterAll(endFixtures);

const LATE = DB_FAULTS["fails, arrives after the answer"]!;
const ROUND_TRIPS = 8;

test.for(["request", "claim"] as const)(
	"the mark of a %s arrives late: it ends with its lease, and the upkeep clears it",
	async (verb) => {
		const fixture = await Fixture.create();
		const partner = await fixture.partner();
		let marks = 0;
		for (let late = 1; late <= ROUND_TRIPS; late++) {
			const pCode = verb === "claim" ? await fixture.validated(partner) : await fixture.code(partner);
			await LATE.run(fixture, late, () => fixture[verb](pCode), pCode);
			const { processing_until: until } = await codeRow(pCode);
			if (until === null) continue;
			marks++;
			expect(fixture.seen.at(-1)!.answer.status).toBe(503);
			expect(until).toBeLessThanOrEqual(Date.now() + LEASE_OVER);
			expect((await partner.listed(pCode)).processing).toBe(1);
			passTime(LEASE_OVER);
			expect((await partner.listed(pCode)).processing).toBe(0);
			passTime(10 * MINUTE_MS);
			expect(await checkInvariants(fixture)).toEqual([`reconcile: stale_step ${pCode}`]);
			await runJobs(await platformOf(env));
			expect(await checkInvariants(fixture)).toEqual([]);
		}
		expect(marks).toBe(1);
	},
);
