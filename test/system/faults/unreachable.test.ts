import { env } from "cloudflare:workers";
import { afterAll, expect, test, vi } from "vitest";
import { EMISSION_LIMIT } from "../../../src/domain/limits.ts";
import { PartnerObject } from "../../../src/objects/partner.ts";
import { dieWhen, neverEnds } from "../../support/failing-db.ts";
import { codeRow, unsettledIn } from "../../support/look-inside.ts";
import { goMute } from "../../support/mute.ts";
import { refusal } from "../../support/refusal.ts";
import { pairsByTurns } from "../../support/run-size.ts";
import type { Answer, Partner } from "../../support/service.ts";
import { endFixtures, expectAllHolds, UNAVAILABLE } from "./expect-all-holds.ts";
import { Fixture } from "./fixture.ts";

/* Objects that cannot be reached, a code's and a partner's, and a partner's that dies while it counts. */

afterAll(endFixtures);

/** Properties of the platform's exception; null: mute for 80 s, then it fails so. */
const MARKS: Record<string, object | null> = {
	overloaded: { overloaded: true, remote: true },
	retryable: { retryable: true, remote: true },
	reset: { durableObjectReset: true, remote: true },
	"without a mark": {},
	mute: null,
};
const MOMENTS = ["before it has the call", "after it has answered"] as const;

/** The platform's stub fails once, with the call delivered or not. @returns how to end it, which tells the deadlines. */
function losing(namespace: object, moment: (typeof MOMENTS)[number], mark: object | null): () => number[] {
	const error = Object.assign(new Error("Network connection lost."), mark);
	const muteness = mark === null ? goMute(error) : null;
	const original = (namespace as { getByName(name: string, options?: object): object }).getByName;
	const lost = { it: false };
	const spy = vi.spyOn(namespace as { getByName: typeof original }, "getByName");
	spy.mockImplementation(function (this: unknown, name, options) {
		const stub = original.call(this as never, name, options) as Record<
			string,
			(call: unknown) => Promise<unknown>
		>;
		if (lost.it || options === undefined) return stub;
		lost.it = true;
		return new Proxy(stub, {
			get: (_, method: string) => async (call: unknown) => {
				const deliver = moment === "after it has answered" ? () => stub[method]!(call) : undefined;
				if (muteness) return muteness.ask(deliver);
				await deliver?.();
				throw error;
			},
		});
	});
	return () => {
		spy.mockRestore();
		muteness?.end();
		return muteness?.deadlines ?? [];
	};
}

test.each(pairsByTurns(Object.keys(MARKS), MOMENTS))(
	"the code's object is %s %s: 503, and the code is carried on",
	async (mark, moment) => {
		const fixture = await Fixture.create();
		const partner = await fixture.partner();
		const [fresh, validated] = [await fixture.code(partner), await fixture.validated(partner)];
		fixture.inDoubt = moment === "after it has answered";
		const answers: Answer[] = [];
		const emitted = await fixture.emitted(partner);
		for (const act of [
			() => fixture.request(fresh),
			() => fixture.claim(validated),
			() => fixture.ops("POST", `/pcodes/${emitted}/cancel`, { reason: "x" }, emitted),
		]) {
			const end = losing(Object.getPrototypeOf(env.PURCHASE_CODES), moment, MARKS[mark]!);
			answers.push(await act());
			expect(end()).toEqual(mark === "mute" ? [65_000] : []);
		}
		fixture.inDoubt = false;
		expect(answers.map(refusal)).toEqual([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]);
		await expectAllHolds(fixture);
	},
);

/* ---------------------------------------------------------------- the partner's object, which counts and hands on */

/** The code and its object as they were, though the partner's object failed; of ten a minute `counted` are gone. */
async function expectUntouched(
	fixture: Fixture,
	partner: Partner,
	pCode: string,
	counted: number,
): Promise<void> {
	const untouched = { version: 0, validation_failures: 0, validated_at: null, processing_until: null };
	expect(await codeRow(pCode)).toMatchObject(untouched);
	expect(await unsettledIn(partner, pCode)).toEqual({});
	const answers: number[] = [];
	for (let i = 0; i < EMISSION_LIMIT; i++) answers.push((await fixture.request(pCode)).status);
	expect(answers.filter((status) => status === 429)).toHaveLength(counted);
	await expectAllHolds(fixture);
}

test.each(pairsByTurns(Object.keys(MARKS), MOMENTS, 1))(
	"the partner's object is %s %s: 503, and the code untouched or carried on",
	async (mark, moment) => {
		const fixture = await Fixture.create();
		const partner = await fixture.partner();
		const pCode = await fixture.code(partner);
		fixture.inDoubt = moment === "after it has answered";
		const end = losing(Object.getPrototypeOf(env.PARTNERS), moment, MARKS[mark]!);
		expect(refusal(await fixture.request(pCode))).toEqual(UNAVAILABLE);
		expect(end()).toEqual(mark === "mute" ? [65_000] : []);
		if (!fixture.inDoubt) return expectUntouched(fixture, partner, pCode, 0);
		fixture.inDoubt = false;
		expect(await codeRow(pCode)).toMatchObject({ version: 1, processing_until: null });
		await expectAllHolds(fixture);
	},
);

test.each([
	["before it counts", 0],
	["after it counted, before it handed on", 1],
] as const)(
	"the partner's object dies %s: 503, the code untouched, and the count goes on",
	async (_, counted) => {
		const fixture = await Fixture.create();
		const partner = await fixture.partner();
		const pCode = await fixture.code(partner);
		const original = PartnerObject.prototype.admitEmission;
		const flight = { out: false };
		vi.spyOn(PartnerObject.prototype, "admitEmission").mockImplementationOnce(async function (
			this: PartnerObject,
		) {
			if (counted > 0) await original.call(this);
			flight.out = true;
			return neverEnds();
		});
		const reported = await dieWhen(
			() => flight.out,
			() => fixture.request(pCode),
		);
		expect(refusal(reported)).toEqual(UNAVAILABLE);
		await expectUntouched(fixture, partner, pCode, counted);
	},
);
