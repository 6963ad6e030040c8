import { afterAll, expect, test, vi } from "vitest";
import { forgetKeys } from "../../../src/http/authenticate.ts";
import { CivilRegistrySandbox } from "../../../src/sandbox/civil-registry-sandbox.ts";
import { interceptDb } from "../../support/failing-db.ts";
import { refusal } from "../../support/refusal.ts";
import type { Answer } from "../../support/service.ts";
import { endFixtures, expectAllHolds } from "./expect-all-holds.ts";
import { Fixture } from "./fixture.ts";

/* D1 and the registry slow by the wall clock, and what a second call on the same code is answered meanwhile. */

afterAll(endFixtures);

const HELD_MS = 1_500;

type Verb = "request" | "claim";

/** Lets the first that comes wait by the wall clock. */
class Slowness {
	isMet = false;

	async wait(): Promise<void> {
		if (this.isMet) return;
		this.isMet = true;
		await new Promise((resolve) => setTimeout(resolve, HELD_MS));
	}
}

interface Reported {
	first: string;
	second: string;
}

/** A call that is held, and another made meanwhile, which must be answered before it. */
async function callWhileBusy(
	fixture: Fixture,
	pCode: string,
	verbs: readonly [Verb, Verb],
	slowness: Slowness,
): Promise<Reported> {
	const answered = fixture.seen.length;
	const first = fixture[verbs[0]](pCode);
	await vi.waitUntil(() => slowness.isMet, { interval: 5, timeout: 10_000 });
	const second = await fixture[verbs[1]](pCode);
	const reported = { first: report(await first), second: report(second) };
	const [soon, late] = fixture.seen.slice(answered);
	expect(soon!.answer).toBe(second);
	expect(soon!.took).toBeLessThan(HELD_MS);
	expect(late!.took).toBeGreaterThanOrEqual(HELD_MS - 1);
	return reported;
}

function report(answer: Answer): string {
	return answer.status < 400 ? String(answer.status) : refusal(answer).join(" ");
}

const TAKEN = "406 VALIDATION_ERROR OTHER_VALIDATION_IN_PROGRESS";

/** Nobody has the code before it is known whose call it is: the second goes first. */
const CELLS: [verb: Verb, step: string, nth: number, reported: Reported][] = [
	["request", "whose key it is", 0, { second: "200", first: "200" }],
	["request", "the survey", 1, { second: TAKEN, first: "200" }],
	["request", "the mark", 2, { second: TAKEN, first: "200" }],
	["request", "the commit", 3, { second: TAKEN, first: "200" }],
	["claim", "whose key it is", 0, { second: "200", first: "201" }],
	["claim", "the survey", 1, { second: "202", first: "200" }],
	["claim", "the commit", 2, { second: "202", first: "200" }],
];

test.each(CELLS)(
	"D1 takes 1.5 s over a %s at %s: another is answered meanwhile",
	async (verb, _, nth, reported) => {
		const fixture = await Fixture.create();
		const partner = await fixture.partner();
		const pCode = verb === "claim" ? await fixture.validated(partner) : await fixture.code(partner);
		if (nth === 0) forgetKeys();
		const slowness = new Slowness();
		const both = await interceptDb(
			async (n, deliver) => {
				if (n === Math.max(1, nth)) await slowness.wait();
				return deliver();
			},
			() => callWhileBusy(fixture, pCode, [verb, verb], slowness),
		);
		expect(both).toEqual(reported);
		await expectAllHolds(fixture);
	},
);

test.each([
	["request", TAKEN],
	["claim", "202"],
] as const)("the registry takes 1.5 s over a request: a %s is answered meanwhile", async (verb, second) => {
	const fixture = await Fixture.create();
	const pCode = await fixture.code(await fixture.partner());
	const slowness = new Slowness();
	const { fetch } = CivilRegistrySandbox.prototype;
	vi.spyOn(CivilRegistrySandbox.prototype, "fetch").mockImplementation(async function (
		this: CivilRegistrySandbox,
		request,
	) {
		await slowness.wait();
		return fetch.call(this, request);
	});
	const reported = await callWhileBusy(fixture, pCode, ["request", verb], slowness);
	expect(reported).toEqual({ first: "200", second });
	await expectAllHolds(fixture);
});
