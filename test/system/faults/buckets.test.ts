import { env } from "cloudflare:workers";
import { afterAll, expect, test, vi } from "vitest";
import { DAY_MS } from "../../../src/domain/durations.ts";
import { runJobs } from "../../../src/jobs/run.ts";
import { platformOf } from "../../../src/platform.ts";
import { codeRow, passTime, select } from "../../support/look-inside.ts";
import { CRL } from "../../support/pki.ts";
import { refusal } from "../../support/refusal.ts";
import { call, type Settings } from "../../support/service.ts";
import { checkInvariants } from "./check-invariants.ts";
import { endFixtures, expectAllHolds, PICTURE, UNAVAILABLE } from "./expect-all-holds.ts";
import { Fixture, LEASE_OVER } from "./fixture.ts";
import { WEBHOOK } from "./use-cases.ts";

/* R2 failing or slow: the pictures of identity cards, and the published CRL. */

afterAll(endFixtures);

const B2B: Settings = { mode: "B2B", ...WEBHOOK };

function failing(target: object, method: string) {
	return vi
		.spyOn(target as Record<string, (...args: unknown[]) => Promise<unknown>>, method)
		.mockImplementation(() =>
			Promise.reject(new Error(`${method}: We encountered an internal error. (10001)`)),
		);
}

test("the bucket of pictures takes none: 503, nothing changed, nothing signed, no attempt spent", async () => {
	const fixture = await Fixture.create();
	const b2b = await fixture.partner(B2B);
	const pCode = await fixture.code(b2b);
	const before = await codeRow(pCode);
	const bucket = failing(Object.getPrototypeOf(env.EVIDENCE), "put");
	expect(refusal(await fixture.request(pCode, { dniFront: PICTURE, dniBack: PICTURE }))).toEqual(UNAVAILABLE);
	bucket.mockRestore();
	expect(fixture.signed).toEqual([]);
	expect(await codeRow(pCode)).toMatchObject({ ...before, version: expect.any(Number) });
	await expectAllHolds(fixture);
});

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
	expect(fixture.signed).toEqual([]);
	await expectAllHolds(fixture);
});

test("the bucket does not give a picture to ops: 503, and the look is in the audit all the same", async () => {
	const fixture = await Fixture.create();
	const pCode = await fixture.code(await fixture.partner());
	await fixture.request(pCode, { dniFront: PICTURE });
	const bucket = failing(Object.getPrototypeOf(env.EVIDENCE), "get");
	fixture.inDoubt = true;
	expect(refusal(await fixture.ops("GET", `/evidence/${pCode}/front`))).toEqual(UNAVAILABLE);
	fixture.inDoubt = false;
	bucket.mockRestore();
	const looks = await select("SELECT action FROM audit_events WHERE entity = ?", `evidence:${pCode}`);
	expect(looks).toEqual([{ action: "evidence_read" }]);
	await expectAllHolds(fixture);
});

test.each(["head", "get", "put"])(
	"the bucket of the CRL fails in %s: 503, a revocation holds, the next cron publishes",
	async (method) => {
		const fixture = await Fixture.create();
		const pCode = await fixture.emitted(await fixture.partner());
		await env.PKI.delete((await env.PKI.list()).objects.map(({ key }) => key));
		const bucket = failing(Object.getPrototypeOf(env.PKI), method);
		const revoked = await fixture.ops("POST", `/pcodes/${pCode}/cancel`, { reason: "x" }, pCode);
		expect(revoked.status).toBe(200);
		const reported = await fixture.call("pki", () => call("GET", `/pki${CRL}`));
		expect(refusal(reported)).toEqual(UNAVAILABLE);
		bucket.mockRestore();
		await fixture.deliverAll();
		expect((await fixture.call("pki", () => call("GET", `/pki${CRL}`))).status).toBe(200);
		await expectAllHolds(fixture);
	},
);

test("the bucket of pictures deletes nothing: the other jobs of the upkeep run, and the next hour makes up for it", async () => {
	const fixture = await Fixture.create();
	const pCode = await fixture.code(await fixture.partner());
	await fixture.request(pCode, { dniFront: PICTURE });
	await fixture.ops("POST", `/pcodes/${pCode}/cancel`, { reason: "x" }, pCode);
	passTime(3_000 * DAY_MS);
	const bucket = failing(Object.getPrototypeOf(env.EVIDENCE), "delete");
	await runJobs(await platformOf(env));
	bucket.mockRestore();
	const failed = fixture.log.filter((line) => line.includes('"event":"job_failed"'));
	expect(failed.length).toBeGreaterThan(0);
	expect((await env.EVIDENCE.list()).objects.length).toBeGreaterThan(0);
	await runJobs(await platformOf(env));
	expect((await env.EVIDENCE.list()).objects).toEqual([]);
	expect(await checkInvariants(fixture)).toEqual([]);
});
