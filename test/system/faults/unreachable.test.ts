import { env } from "cloudflare:workers";
import { afterAll, expect, test, vi } from "vitest";
import { EMISSION_LIMIT } from "../../../src/domain/limits.ts";
import { PartnerObject } from "../../../src/objects/partner.ts";
import { dieWhen } from "../../support/failing-register.ts";
import { codeRow, storedIn } from "../../support/look-inside.ts";
import { refusal } from "../../support/refusal.ts";
import type { Answer, Partner } from "../../support/service.ts";
import { endWorlds, expectAllHolds, UNAVAILABLE } from "./expect-all-holds.ts";
import { World } from "./world.ts";

/* Objects that cannot be reached, a code's and a partner's, and a partner's that dies while it counts. */

afterAll(endWorlds);

const MARKS: Record<string, object> = {
	overloaded: { overloaded: true, remote: true },
	retryable: { retryable: true, remote: true },
	reset: { durableObjectReset: true, remote: true },
	"without a mark": {},
};
const MOMENTS = ["before it has the call", "after it has answered"] as const;
const UNREACHABLE = Object.keys(MARKS).flatMap((mark) => MOMENTS.map((moment) => [mark, moment] as const));

/** The platform's stub fails once, with the call delivered or not. */
function losing(namespace: object, moment: (typeof MOMENTS)[number], mark: object): void {
	const original = (namespace as { getByName(name: string, options?: object): object }).getByName;
	const lost = { it: false };
	vi.spyOn(namespace as { getByName: typeof original }, "getByName").mockImplementation(function (
		this: unknown,
		name,
		options,
	) {
		const stub = original.call(this as never, name, options) as Record<
			string,
			(call: unknown) => Promise<unknown>
		>;
		if (lost.it || options === undefined) return stub;
		lost.it = true;
		return new Proxy(stub, {
			get: (_, method: string) => async (call: unknown) => {
				if (moment === "after it has answered") await stub[method]!(call);
				throw Object.assign(new Error("Network connection lost."), mark);
			},
		});
	});
}

test.each(UNREACHABLE)(
	"the code's object is %s %s: 503, and the code is carried on",
	async (mark, moment) => {
		const world = await World.create();
		const partner = await world.partner();
		const [fresh, validated] = [await world.code(partner), await world.validated(partner)];
		world.inDoubt = moment === "after it has answered";
		const answers: Answer[] = [];
		const emitted = await world.emitted(partner);
		for (const act of [
			() => world.request(fresh),
			() => world.claim(validated),
			() => world.ops("POST", `/pcodes/${emitted}/cancel`, { reason: "x" }, emitted),
		]) {
			losing(Object.getPrototypeOf(env.PURCHASE_CODES), moment, MARKS[mark]!);
			answers.push(await act());
			vi.mocked(Object.getPrototypeOf(env.PURCHASE_CODES).getByName).mockRestore();
		}
		world.inDoubt = false;
		expect(answers.map(refusal)).toEqual([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]);
		await expectAllHolds(world);
	},
);

/* ---------------------------------------------------------------- the partner's object, which counts */

/** The code and its object as they were, though the partner's object failed; of ten a minute `counted` are gone. */
async function expectUntouched(
	world: World,
	partner: Partner,
	pCode: string,
	counted: number,
): Promise<void> {
	const untouched = { version: 0, validation_failures: 0, validated_at: null, processing_until: null };
	expect(await codeRow(pCode)).toMatchObject(untouched);
	expect(await storedIn(partner, pCode)).toEqual({});
	const answers: number[] = [];
	for (let i = 0; i < EMISSION_LIMIT; i++) answers.push((await world.request(pCode)).status);
	expect(answers.filter((status) => status === 429)).toHaveLength(counted);
	await expectAllHolds(world);
}

test.each(UNREACHABLE)("the partner's object is %s %s: 503, the code untouched", async (mark, moment) => {
	const world = await World.create();
	const partner = await world.partner();
	const pCode = await world.code(partner);
	losing(Object.getPrototypeOf(env.PARTNERS), moment, MARKS[mark]!);
	expect(refusal(await world.request(pCode))).toEqual(UNAVAILABLE);
	vi.mocked(Object.getPrototypeOf(env.PARTNERS).getByName).mockRestore();
	await expectUntouched(world, partner, pCode, moment === "after it has answered" ? 1 : 0);
});

test.each([
	["before it counts", 0],
	["after it counted", 1],
] as const)(
	"the partner's object dies %s: 503, the code untouched, and the count goes on",
	async (_, counted) => {
		const world = await World.create();
		const partner = await world.partner();
		const pCode = await world.code(partner);
		const original = PartnerObject.prototype.admitEmission;
		const flight = { out: false };
		vi.spyOn(PartnerObject.prototype, "admitEmission").mockImplementationOnce(async function (
			this: PartnerObject,
		) {
			if (counted > 0) await original.call(this);
			flight.out = true;
			return new Promise(() => undefined);
		});
		const told = await dieWhen(
			() => flight.out,
			() => world.request(pCode),
		);
		expect(refusal(told)).toEqual(UNAVAILABLE);
		await expectUntouched(world, partner, pCode, counted);
	},
);
