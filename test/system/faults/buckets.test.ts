import { env } from "cloudflare:workers";
import { afterAll, expect, test, vi } from "vitest";
import { DAY_MS } from "../../../src/domain/durations.ts";
import { runJobs } from "../../../src/jobs/run.ts";
import { platformOf } from "../../../src/platform.ts";
import { passTime } from "../../support/clock.ts";
import { codeRow, select } from "../../support/look-inside.ts";
import { goMute } from "../../support/mute.ts";
import { CRL } from "../../support/pki.ts";
import { refusal } from "../../support/refusal.ts";
import { pairsByTurns } from "../../support/run-size.ts";
import { call, type Settings } from "../../support/service.ts";
import { checkInvariants } from "./check-invariants.ts";
import { endFixtures, expectAllHolds, PICTURE, UNAVAILABLE } from "./expect-all-holds.ts";
import { Fixture, LEASE_OVER } from "./fixture.ts";
import { WEBHOOK } from "./use-cases.ts";

/* R2 failing or slow: the pictures of identity cards, and the published CRL. */

afterAll(endFixtures);

const B2B: Settings = { mode: "B2B", ...WEBHOOK };

/** @returns how to have the bucket back, which tells the deadlines that it got, in milliseconds */
function away(target: object, method: string, way: Way): () => number[] {
	const error = new Error(`${method}: We encountered an internal error. (10001)`);
	const muteness = way === "fails" ? null : goMute(error);
	const spy = vi
		.spyOn(target as Record<string, (...args: unknown[]) => Promise<unknown>>, method)
		.mockImplementation(() => muteness?.ask() ?? Promise.reject(error));
	return () => {
		spy.mockRestore();
		muteness?.end();
		return [...new Set(muteness?.deadlines)];
	};
}

const WAYS = ["fails", "is mute for 80 s, then fails"] as const;
type Way = (typeof WAYS)[number];

test("the bucket of pictures takes longer than the lease: the step is recovered, and its success does not count", async () => {
	const fixture = await Fixture.create();
	const pCode = await fixture.code(await fixture.partner(B2B));
	const put = Object.getPrototypeOf(env.EVIDENCE).put;
	vi.spyOn(Object.getPrototypeOf(env.EVIDENCE), "put").mockImplementationOnce(async function (
		this: unknown,
		...args
	) {
		passTime(LEASE_OVER);
		await fixture.ringAlarms();
		return put.apply(this, args);
	});
	fixture.inDoubt = true;
	expect(refusal(await fixture.request(pCode, { dniFront: PICTURE }))).toEqual(UNAVAILABLE);
	fixture.inDoubt = false;
	expect(fixture.signed.size).toBe(0);
	await expectAllHolds(fixture);
});

/** Deadlines that the service gives a bucket, in a call and in the background, where the bucket does not fail at once. */
const deadlines = (way: Way) => (way === "fails" ? [[], []] : [[5_000], [30_000]]);

const CASES: Record<string, (way: Way) => Promise<void>> = {
	async "taking pictures: 503, nothing changed, nothing signed, no attempt spent"(way) {
		const fixture = await Fixture.create();
		const b2b = await fixture.partner(B2B);
		const pCode = await fixture.code(b2b);
		const before = await codeRow(pCode);
		const back = away(Object.getPrototypeOf(env.EVIDENCE), "put", way);
		expect(refusal(await fixture.request(pCode, { dniFront: PICTURE, dniBack: PICTURE }))).toEqual(
			UNAVAILABLE,
		);
		expect(back()).toEqual(deadlines(way)[0]);
		expect(fixture.signed.size).toBe(0);
		expect(await codeRow(pCode)).toMatchObject({ ...before, version: expect.any(Number) });
		await expectAllHolds(fixture);
	},

	async "giving a picture to ops: 503, and the look is in the audit all the same"(way) {
		const fixture = await Fixture.create();
		const pCode = await fixture.code(await fixture.partner());
		await fixture.request(pCode, { dniFront: PICTURE });
		const back = away(Object.getPrototypeOf(env.EVIDENCE), "get", way);
		fixture.inDoubt = true;
		expect(refusal(await fixture.ops("GET", `/evidence/${pCode}/front`))).toEqual(UNAVAILABLE);
		fixture.inDoubt = false;
		expect(back()).toEqual(deadlines(way)[0]);
		const looks = await select("SELECT action FROM audit_events WHERE entity = ?", `evidence:${pCode}`);
		expect(looks).toEqual([{ action: "evidence_read" }]);
		await expectAllHolds(fixture);
	},

	...Object.fromEntries(
		["head", "get", "put"].map((method) => [
			`in ${method} of the CRL: 503, a revocation holds, the next cron publishes`,
			async (way: Way) => {
				const fixture = await Fixture.create();
				const pCode = await fixture.emitted(await fixture.partner());
				await env.PKI.delete((await env.PKI.list()).objects.map(({ key }) => key));
				const back = away(Object.getPrototypeOf(env.PKI), method, way);
				const revoked = await fixture.ops("POST", `/pcodes/${pCode}/cancel`, { reason: "x" }, pCode);
				expect(revoked.status).toBe(200);
				const reported = await fixture.call("pki", () => call("GET", `/pki${CRL}`));
				expect(refusal(reported)).toEqual(UNAVAILABLE);
				expect(back()).toEqual(deadlines(way)[method === "get" ? 0 : 1]);
				await fixture.deliverAll();
				expect((await fixture.call("pki", () => call("GET", `/pki${CRL}`))).status).toBe(200);
				await expectAllHolds(fixture);
			},
		]),
	),

	async "deleting pictures: the other jobs of the upkeep run, and the next hour makes up for it"(way) {
		const fixture = await Fixture.create();
		const pCode = await fixture.code(await fixture.partner());
		await fixture.request(pCode, { dniFront: PICTURE });
		await fixture.ops("POST", `/pcodes/${pCode}/cancel`, { reason: "x" }, pCode);
		passTime(3_000 * DAY_MS);
		const back = away(Object.getPrototypeOf(env.EVIDENCE), "delete", way);
		await runJobs(await platformOf(env));
		// A holder is erased in its code's object.
		expect(back()).toEqual(deadlines(way).flat());
		const failed = fixture.log.filter((line) => line.includes('"event":"job_failed"'));
		expect(failed.length).toBeGreaterThan(0);
		expect((await env.EVIDENCE.list()).objects.length).toBeGreaterThan(0);
		await runJobs(await platformOf(env));
		expect((await env.EVIDENCE.list()).objects).toEqual([]);
		expect(await checkInvariants(fixture)).toEqual([]);
	},
};

test.each(pairsByTurns(Object.keys(CASES), WAYS))("%s, where the bucket %s", (name, way) =>
	CASES[name]!(way),
);
