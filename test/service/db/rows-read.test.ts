import { beforeAll, expect, test } from "vitest";
import { interceptDb } from "../../support/failing-db.ts";
import { type Answer, freshService, loadHolder, Partner } from "../../support/service.ts";

/* What a step reads is bounded by the step, not by what its partner has bought: D1 runs one query at a time. */

beforeAll(freshService);

const STOCK = 1_500;

/** Rows that D1 read in the batches of a call. */
async function rowsRead(act: () => Promise<Answer>): Promise<number> {
	let rows = 0;
	const { status } = await interceptDb(async (_, deliver) => {
		const result = await deliver();
		for (const { meta } of [result].flat() as D1Result[]) rows += meta?.rows_read ?? 0;
		return result;
	}, act);
	expect(status).toBe(200);
	return rows;
}

async function rowsOfFlow(partner: Partner): Promise<{ request: number; claim: number }> {
	const holder = loadHolder(7);
	const pCode = await partner.code();
	const request = await rowsRead(() => partner.request({ pCode, ...holder }));
	const claim = await rowsRead(() => partner.claim(pCode, { dni: holder.dni, pin: holder.pin }));
	return { request, claim };
}

test("a certificate_request and its claim read as much of a partner with 1,500 codes as of one with one", async () => {
	const small = await rowsOfFlow(await Partner.create());
	const large = await Partner.create();
	for (let codes = 0; codes < STOCK; codes += 500) await large.bulk(500);
	const { request, claim } = await rowsOfFlow(large);
	expect(request).toBeGreaterThan(0);
	expect(request).toBeLessThan(small.request + 50);
	expect(claim).toBeLessThan(small.claim + 50);
});
