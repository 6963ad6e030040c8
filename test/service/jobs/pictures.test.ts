import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { DAY_MS } from "../../../src/domain/durations.ts";
import { passTime } from "../../support/clock.ts";
import { activeCode } from "../../support/codes.ts";
import { execute } from "../../support/db.ts";
import { select } from "../../support/look-inside.ts";
import { callWith, freshService, JUANA, ops, PNG } from "../../support/service.ts";

/* Effects of the jobs on pictures of identity cards, run as ops run them. */

beforeEach(freshService);

async function runJob(job: string): Promise<void> {
	expect((await ops("POST", `/upkeep/${job}`, {})).status).toBe(200);
}

const stored = async () => (await env.EVIDENCE.list()).objects.map(({ key }) => key);

test("retention: pictures of an earlier validation stay while the code's holder stays, and are erased with it", async () => {
	const { partner, pCode } = await activeCode();
	expect((await partner.request({ pCode, ...JUANA, dniFront: PNG })).status).toBe(200);
	const [picture] = await stored();
	passTime(80 * DAY_MS);
	expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);

	passTime(80 * DAY_MS);
	for (const job of ["lapse-validations", "erase-holders", "sweep-stray-pictures"]) await runJob(job);
	expect(await select("SELECT code FROM holders")).toEqual([{ code: pCode }]);
	expect(await stored()).toEqual([picture]);
	expect((await ops("GET", `/evidence/${pCode}/front`)).status).toBe(200);

	passTime(10 * DAY_MS);
	await runJob("lapse-validations");
	expect(await select("SELECT code FROM holders")).toEqual([]);
	expect(await stored()).toEqual([]);
	expect(await select("SELECT object_key FROM evidence")).toEqual([]);
});

const NEW_KEY = crypto.getRandomValues(new Uint8Array(32)).toBase64();

/** One run of the job in a service that seals with a new key and still opens with the old one. */
async function resealPictures(): Promise<{ resealed: number }> {
	const headers = { authorization: `Bearer ${env.OPS_TOKEN}`, "content-type": "application/json" };
	const rotating = { SEALING_KEYS: `new1:${NEW_KEY},${env.SEALING_KEYS}` };
	const path = "/ops/v1/upkeep/reseal-evidence";
	return (await callWith(rotating, "POST", path, { headers, body: "{}" })).body.data.report;
}

test("a picture that is erased or replaced while it is resealed does not come back", async () => {
	const { partner, pCode } = await activeCode();
	expect((await partner.request({ pCode, ...JUANA, dniFront: PNG, dniBack: PNG })).status).toBe(200);
	const [back, front] = (await stored()) as [string, string];
	const bucket = Object.getPrototypeOf(env.EVIDENCE) as R2Bucket;
	const put = bucket.put;
	const spy = vi.spyOn(bucket, "put").mockImplementation(async function (this: R2Bucket, ...args) {
		const [key] = args;
		if (key === back) await env.EVIDENCE.delete(back);
		else await put.call(env.EVIDENCE, front, "new1.written meanwhile");
		return put.apply(this, args);
	} as typeof put);
	await resealPictures();
	expect(spy.mock.calls.map(([key]) => key)).toEqual([back, front]);
	spy.mockRestore();
	expect(await stored()).toEqual([front]);
	expect(await (await env.EVIDENCE.get(front))!.text()).toBe("new1.written meanwhile");
});

test("an unchanged picture is sealed with the new key, after a full page that has nothing to seal", async () => {
	const { partner, pCode } = await activeCode();
	expect((await partner.request({ pCode, ...JUANA, dniFront: PNG })).status).toBe(200);
	await execute(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
		INSERT INTO evidence SELECT '!' || i, partner_id, code, side, media_type, created_at FROM evidence, n`);
	expect(await resealPictures()).toMatchObject({ resealed: 0, clean: false });
	expect(await resealPictures()).toMatchObject({ resealed: 1 });
	const [key] = (await stored()) as [string];
	expect(await (await env.EVIDENCE.get(key))!.text()).toMatch(/^new1\./);
});
