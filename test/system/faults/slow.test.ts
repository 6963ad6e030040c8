import { afterAll, expect, test, vi } from "vitest";
import { forgetKeys } from "../../../src/db/api-keys.ts";
import { CivilRegistrySandbox } from "../../../src/sandbox/civil-registry-sandbox.ts";
import { interceptDb } from "../../support/failing-db.ts";
import { refusal } from "../../support/refusal.ts";
import type { Answer } from "../../support/service.ts";
import { endFixtures, expectAllHolds } from "./expect-all-holds.ts";
import { Fixture } from "./fixture.ts";

/* D1 and the registry slow, and what a second call on the same code is answered meanwhile. */

afterAll(endFixtures);

type Verb = "request" | "claim";

/** Lets the first that comes wait until it is over. */
class Slowness {
	isMet = false;
	isOver = false;

	async wait(): Promise<void> {
		if (this.isMet) return;
		this.isMet = true;
		// A wait of the runtime's own: it cancels a call that waits for nothing.
		while (!this.isOver) await scheduler.wait(5);
	}
}

interface Reported {
	first: string;
	second: string;
}

/** A call that is held until another, made meanwhile, has been answered. */
async function callWhileBusy(
	fixture: Fixture,
	pCode: string,
	verbs: readonly [Verb, Verb],
	slowness: Slowness,
): Promise<Reported> {
	const answered = fixture.seen.length;
	const first = fixture[verbs[0]](pCode);
	await vi.waitUntil(() => slowness.isMet, { interval: 5 });
	const second = await fixture[verbs[1]](pCode);
	slowness.isOver = true;
	const reported = { first: report(await first), second: report(second) };
	expect(fixture.seen[answered]!.answer).toBe(second);
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
	"D1 is slow over a %s at %s: another is answered meanwhile",
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
] as const)("the registry is slow over a request: a %s is answered meanwhile", async (verb, second) => {
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
