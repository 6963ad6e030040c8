import { afterAll, beforeAll, expect, test } from "vitest";
import { MINUTE_MS, passTime, startClock, stopClock } from "../../support/clock.ts";
import { refusal } from "../../support/refusal.ts";
import { call, freshService, JUANA, ops, Partner } from "../../support/service.ts";

beforeAll(async () => {
	await freshService();
	stopClock();
});
afterAll(startClock);

const UNKNOWN = { pCode: "0000-0000-0000-0000", ...JUANA };
const EXCEEDED = [429, "RATE_LIMIT_EXCEEDED"];

async function ask(partner: Partner, times: number): Promise<void> {
	for (let i = 0; i < times; i++) expect((await partner.request(UNKNOWN)).status).toBe(404);
}

test("§8 emission rate: 10 requests per minute per partner; beyond it, 429", {
	tags: ["emission-rate"],
}, async () => {
	const partner = await Partner.create();
	for (let used = 1; used <= 10; used++) {
		const { headers, status } = await partner.request(UNKNOWN);
		expect(status).toBe(404);
		expect(headers.get("ratelimit-policy")).toBe('"emission";q=10;w=60');
		expect(headers.get("ratelimit")).toBe(`"emission";r=${10 - used};t=60`);
		expect(headers.get("retry-after")).toBeNull();
	}
	const refused = await partner.request(UNKNOWN);
	expect(refusal(refused)).toEqual(EXCEEDED);
	expect(refused.headers.get("retry-after")).toBe("60");
	expect(refused.headers.get("ratelimit-policy")).toBe('"emission";q=10;w=60');
	expect(refused.headers.get("ratelimit")).toBe('"emission";r=0;t=60');
});

test('decision "emission rate": never more than 10 in any 60 s, at the edges of the window', {
	tags: ["emission-rate-window"],
}, async () => {
	const partner = await Partner.create();
	await ask(partner, 1);
	passTime(MINUTE_MS / 2);
	await ask(partner, 9);
	passTime(MINUTE_MS / 2 - 1);
	const early = await partner.request(UNKNOWN);
	expect(refusal(early)).toEqual(EXCEEDED);
	expect(early.headers.get("retry-after")).toBe("1");
	passTime(1);
	await ask(partner, 1);
	const refused = await partner.request(UNKNOWN);
	expect(refusal(refused)).toEqual(EXCEEDED);
	expect(refused.headers.get("retry-after")).toBe("30");
	passTime(MINUTE_MS / 2);
	await ask(partner, 9);
	expect(refusal(await partner.request(UNKNOWN))).toEqual(EXCEEDED);
});

test('decision "emission rate": waiting as Retry-After says is enough', async () => {
	const partner = await Partner.create();
	await ask(partner, 10);
	passTime(12_345);
	const refused = await partner.request(UNKNOWN);
	passTime(Number(refused.headers.get("retry-after")) * 1000);
	await ask(partner, 1);
});

test('decision "emission rate": one refused for the rate does not count', {
	tags: ["emission-rate-refused-not-counted"],
}, async () => {
	const partner = await Partner.create();
	await ask(partner, 10);
	for (let second = 0; second < 59; second++) {
		passTime(1000);
		expect((await partner.request(UNKNOWN)).status).toBe(429);
	}
	passTime(1000);
	await ask(partner, 10);
});

test('decision "emission rate": every authenticated request counts, whatever its outcome', {
	tags: ["emission-rate-counts-all"],
}, async () => {
	const partner = await Partner.create();
	const { body } = await partner.bulk(2);
	const [pCode, failed] = body.data.pcodes;
	const outcomes = [
		await partner.request({ pCode, ...JUANA }),
		await partner.request({ pCode: failed, ...JUANA, serialNumber: "999999999" }),
		await partner.request(UNKNOWN),
		await partner.request({}),
		await partner.request({ pCode }, { "content-type": "text/plain" }),
		await partner.post("/api/partners/v1/certificate_request", "{"),
	];
	expect(outcomes.map(({ status }) => status)).toEqual([200, 406, 404, 400, 415, 400]);
	for (const { headers } of outcomes) expect(headers.get("ratelimit")).toMatch(/^"emission";r=[4-9];t=60$/);
	await ask(partner, 4);
	expect(refusal(await partner.request({ pCode, ...JUANA }))).toEqual(EXCEEDED);
});

test('decision "emission rate": a request without a valid key counts for nobody', async () => {
	const partner = await Partner.create();
	for (let i = 0; i < 12; i++) {
		const { status, headers } = await call("POST", "/api/partners/v1/certificate_request", {
			headers: { "x-gw": `${partner.key}0`, "content-type": "application/json" },
			body: JSON.stringify(UNKNOWN),
		});
		expect([status, headers.get("ratelimit")]).toEqual([401, null]);
	}
	await ask(partner, 10);
});

test("§8 per partner: one partner's rate is not another's, and all keys of a partner share one", {
	tags: ["emission-rate-per-partner"],
}, async () => {
	const [busy, calm] = [await Partner.create(), await Partner.create()];
	const { body } = await ops("POST", `/partners/${busy.id}/keys`, { label: "second" });
	await ask(busy, 10);
	const second = await busy.request(UNKNOWN, { "x-gw": body.data.api_key });
	expect(refusal(second)).toEqual(EXCEEDED);
	const fresh = await calm.request(UNKNOWN);
	expect(fresh.headers.get("ratelimit")).toBe('"emission";r=9;t=60');
});

test("§8 applies to certificate_request: claim, status and list do not count", async () => {
	const partner = await Partner.create();
	const pCode = await partner.code();
	for (let i = 0; i < 11; i++) {
		expect(await partner.status(pCode)).toBe("ACTIVE");
		expect((await partner.claim(pCode)).status).toBe(404);
	}
	await ask(partner, 10);
});

test("§8 ten at the same moment are admitted, the eleventh is not", async () => {
	const partner = await Partner.create();
	const answers = await Promise.all(Array.from({ length: 25 }, () => partner.request(UNKNOWN)));
	const statuses = answers.map(({ status }) => status).sort();
	expect(statuses).toEqual([...Array(10).fill(404), ...Array(15).fill(429)]);
});
