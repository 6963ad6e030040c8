import { afterAll, expect, test, vi } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/domain/durations.ts";
import { passTime, setTime } from "../../support/clock.ts";
import { dyingAt, interceptDb } from "../../support/failing-db.ts";
import { codeRow } from "../../support/look-inside.ts";
import { pairsByTurns } from "../../support/run-size.ts";
import { isInObject } from "../../support/whose-work.ts";
import { BACKGROUND } from "./background-use-cases.ts";
import type { DbFault } from "./db-faults.ts";
import { endFixtures, expectAllHolds } from "./expect-all-holds.ts";
import { Fixture } from "./fixture.ts";
import { OPS_CALLS } from "./ops-use-cases.ts";
import { PARTNER_CALLS } from "./partner-use-cases.ts";
import { runCell } from "./run-matrix.ts";

/* The clock jumps in the middle of a step, between two, and differs between Worker and object. */

afterAll(endFixtures);

const JUMPS: Record<string, number> = {
	"back by an hour": -HOUR_MS,
	"on by 61 s": 61_000,
	"on by 15 days": 15 * DAY_MS,
	"back by a minute": -MINUTE_MS,
	"on by 31 minutes": 31 * MINUTE_MS,
	"on by 400 days": 400 * DAY_MS,
};

const { "request, reduced": reduced, "request, B2B": b2b, claim, bulk } = PARTNER_CALLS;
const { "ops cancel": cancel } = OPS_CALLS;
const { "webhook delivery": webhook } = BACKGROUND;
const CASES = { reduced, b2b, claim, bulk, cancel, webhook } as Record<string, NonNullable<typeof claim>>;

/** The clock jumps while the trip is out, or when it is back. */
function jump(milliseconds: number): DbFault {
	return {
		inDoubt: false,
		arrives: true,
		run: async (_, nth, act) => {
			const met = { it: false };
			await interceptDb(async (n, deliver) => {
				if (n !== nth) return deliver();
				met.it = true;
				if (nth % 2 === 0) passTime(milliseconds);
				const result = await deliver();
				if (nth % 2 === 1) passTime(milliseconds);
				return result;
			}, act);
			return met.it;
		},
	};
}

test.each(pairsByTurns(Object.keys(CASES), Object.keys(JUMPS)))(
	"%s, and the clock goes %s at its round trips: all invariants hold",
	async (useCase, way) => {
		const by = JUMPS[way]!;
		/** 406: past its 14 days before it was looked at. 429: the window of ten emissions came back. */
		const alsoAllowed = [...(by > 14 * DAY_MS ? [406] : []), ...(by < 0 ? [429] : [])];
		const { faulted: met, violations } = await runCell(CASES[useCase]!, { jump: jump(by) }, alsoAllowed);
		expect(violations).toEqual([]);
		expect(met.jump).toBeGreaterThan(1);
	},
	120_000,
);

test.each(Object.keys(JUMPS))("the clock goes %s between request, claim and cancellation", async (way) => {
	const fixture = await Fixture.create();
	setTime(Date.now());
	const pCode = await fixture.validated(await fixture.partner());
	passTime(JUMPS[way]!);
	expect((await fixture.claim(pCode)).status).toBe(200);
	passTime(JUMPS[way]!);
	expect((await fixture.ops("POST", `/pcodes/${pCode}/cancel`, { reason: "x" }, pCode)).status).toBe(200);
	await expectAllHolds(fixture);
});

test("invariant 4: an object dies and the clock goes back by an hour: its code is free within one lease all the same", async () => {
	const fixture = await Fixture.create();
	setTime(Date.now());
	const partner = await fixture.partner();
	const codes = [await fixture.code(partner), await fixture.code(partner)];
	fixture.inDoubt = true;
	for (const pCode of codes) await dyingAt(2, "arrives", () => fixture.request(pCode));
	fixture.inDoubt = false;
	passTime(-HOUR_MS);
	expect((await fixture.request(codes[0]!)).status).toBe(200);
	await expectAllHolds(fixture);
});

test("reconciliation: a claim by a clock behind the request's is no certificate without its delivery", async () => {
	const fixture = await Fixture.create();
	setTime(Date.now());
	const pCode = await fixture.validated(await fixture.partner());
	passTime(-5_000);
	expect((await fixture.claim(pCode)).status).toBe(200);
	const { validated_at, issued_at } = await codeRow(pCode);
	expect(issued_at).toBeGreaterThan(validated_at);
	await expectAllHolds(fixture);
});

test.each([5 * MINUTE_MS, -5 * MINUTE_MS])("the objects' clock is %i ms off the Worker's", async (skew) => {
	const fixture = await Fixture.create();
	const partner = await fixture.partner();
	const b2bPartner = await fixture.partner({ mode: "B2B", webhook_url: "https://partner.example/hook" });
	const now = Date.now.bind(Date);
	const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + (isInObject() ? skew : 0));
	const [pCode, other] = [await fixture.code(partner), await fixture.code(b2bPartner)];
	expect((await fixture.request(pCode)).status).toBe(200);
	expect((await partner.listed(pCode)).processing).toBe(0);
	expect((await fixture.claim(pCode)).status).toBe(200);
	expect((await fixture.claim(pCode)).status).toBe(201);
	expect((await fixture.request(other)).status).toBe(200);
	for (const code of [pCode, other])
		expect(await (code === pCode ? partner : b2bPartner).status(code)).toBe("EMITTED");
	clock.mockRestore();
	await expectAllHolds(fixture);
});
