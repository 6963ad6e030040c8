import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, expect, test, vi } from "vitest";
import { CivilRegistrySandbox } from "../../../src/sandbox/civil-registry-sandbox.ts";
import { SingleSignOnSandbox } from "../../../src/sandbox/single-sign-on-sandbox.ts";
import { dieWhen, neverEnds } from "../../support/failing-db.ts";
import { codeRow, holdRegistry, leaseOf } from "../../support/look-inside.ts";
import { refusal } from "../../support/refusal.ts";
import type { Answer, Settings } from "../../support/service.ts";
import { checkInvariants } from "./check-invariants.ts";
import { endFixtures, expectAllHolds, PICTURE, UNAVAILABLE } from "./expect-all-holds.ts";
import { Fixture } from "./fixture.ts";
import { type UseCase, WEBHOOK } from "./use-cases.ts";
import { away, claim, comeBack, signOn, submit, submitted, typed } from "./widget-steps.ts";

/* Objects that die at what is not a round trip to D1. */

afterAll(endFixtures);

const B2B: Settings = { mode: "B2B", ...WEBHOOK };

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** Holds a method of the platform when it is called for what `isIt` knows. @returns whether that call has come. */
function hold(
	target: object,
	method: string,
	isIt: (args: unknown[]) => boolean = () => true,
	after = false,
) {
	const held = { it: false };
	const found = (target as Methods)[method]!;
	const original = vi.isMockFunction(found) ? found.getMockImplementation()! : found;
	vi.spyOn(target as Methods, method).mockImplementation(async function (this: unknown, ...args: unknown[]) {
		if (held.it || !isIt(args)) return original.apply(this, args);
		if (after) await original.apply(this, args);
		held.it = true;
		return neverEnds();
	});
	return () => held.it;
}

/** Bytes that begin a TBSCertificate: SEQUENCE with a long length, then [0]. */
function isCertificate([, , bytes]: unknown[]): boolean {
	const head = new Uint8Array(bytes as Uint8Array).subarray(0, 5);
	return head[0] === 0x30 && head[1] === 0x82 && head[4] === 0xa0;
}

const PLATFORM: Record<string, (fixture: Fixture) => () => boolean> = {
	"the registry is asked": () => hold(CivilRegistrySandbox.prototype, "fetch"),
	"the pictures are on their way": () => hold(Object.getPrototypeOf(env.EVIDENCE), "put"),
	"the pictures are stored": () => hold(Object.getPrototypeOf(env.EVIDENCE), "put", undefined, true),
	"the holder's key is being made": () => hold(crypto.subtle, "generateKey"),
	"the certificate is being signed": () => hold(crypto.subtle, "sign", isCertificate),
	"the certificate is signed": () => hold(crypto.subtle, "sign", isCertificate, true),
	"the webhook is on its way": (fixture) => {
		fixture.receiver.answer = neverEnds;
		return () => fixture.receiver.received.length > 0;
	},
};

test.each(Object.keys(PLATFORM))("a B2B request whose object dies while %s", async (moment) => {
	const fixture = await Fixture.create();
	const partner = await fixture.partner(B2B);
	const pCode = await fixture.code(partner);
	const moments = PLATFORM[moment]!(fixture);
	fixture.inDoubt = true;
	const reported = await dieWhen(moments, () => fixture.request(pCode, { dniFront: PICTURE }));
	fixture.inDoubt = false;
	expect(refusal(reported)).toEqual(UNAVAILABLE);
	const lease = await leaseOf(partner, pCode);
	fixture.receiver.answer = () => new Response(null, { status: 204 });
	await fixture.rest();
	const { validation_failures, issued_at } = await codeRow(pCode);
	expect(lease?.attemptReserved ?? false).toBe(issued_at === null);
	expect(validation_failures).toBe(issued_at === null ? 1 : 0);
	await expectAllHolds(fixture);
});

type Act = (fixture: Fixture, pCode: string) => Promise<Answer>;

const IN_WIDGET: [string, UseCase["ready"], Act, moment: () => () => boolean][] = [
	["the registry is asked", typed, submit, () => hold(CivilRegistrySandbox.prototype, "fetch")],
	["the certificate is signed", submitted, claim, () => hold(crypto.subtle, "sign", isCertificate, true)],
	["the single sign-on is asked", away, comeBack, () => hold(SingleSignOnSandbox.prototype, "fetch")],
];

test.each(IN_WIDGET)(
	"a step of the widget whose object dies while %s: its holder goes on",
	async (...row) => {
		const [, ready, act, momentOf] = row;
		const fixture = await Fixture.create();
		const partner = await fixture.partner(ready === away ? { require_cedula_serie: 0 } : {});
		const pCode = await ready(fixture, partner);
		fixture.inDoubt = true;
		const reported = await dieWhen(momentOf(), () => act(fixture, pCode));
		fixture.inDoubt = false;
		expect(reported.status).toBe(503);
		await fixture.rest();
		expect(await checkInvariants(fixture)).toEqual([]);
		if (ready === away) expect((await signOn(fixture, pCode)).status).toBe(200);
		expect((await submit(fixture, pCode)).status).toBe(200);
		const files = [await claim(fixture, pCode), await claim(fixture, pCode)];
		expect(files.map(({ status }) => status)).toEqual([200, 200]);
		expect(files[1]!.text).toBe(files[0]!.text);
		await expectAllHolds(fixture);
	},
);

test("every object dies at once while six calls run: each code is carried on", async () => {
	const fixture = await Fixture.create();
	const partner = await fixture.partner(B2B);
	const codes: string[] = [];
	for (let i = 0; i < 6; i++) codes.push(await fixture.code(partner));
	const registry = holdRegistry();
	fixture.inDoubt = true;
	const running = codes.map((pCode) => fixture.request(pCode));
	await vi.waitUntil(() => registry.heard() === 6, { interval: 1 });
	await abortAllDurableObjects();
	registry.release();
	expect((await Promise.all(running)).map(refusal)).toEqual(codes.map(() => UNAVAILABLE));
	fixture.inDoubt = false;
	await fixture.rest();
	for (const pCode of codes) expect((await codeRow(pCode)).validation_failures).toBe(1);
	await expectAllHolds(fixture);
});
