import { beforeAll, expect, test } from "vitest";
import { LIST_STATUSES } from "../../../src/domain/status-tables.ts";
import { passTime, stopClock } from "../../support/clock.ts";
import { execute } from "../../support/db.ts";
import { interceptDb, rowsReadDuring, tripsDuring } from "../../support/failing-db.ts";
import { type Answer, freshService, loadHolder, Partner } from "../../support/service.ts";

/* A step reads a bounded number of rows, whatever its partner has bought: D1 runs one query at a time. */

beforeAll(freshService);

const STOCK = 1_500;

/** Rows that D1 read in the batches of a call. */
async function rowsRead(act: () => Promise<Answer>): Promise<number> {
	const { result, rows } = await rowsReadDuring(act);
	expect(result.status).toBeOneOf([200, 303]);
	return rows;
}

async function rowsOfFlow(partner: Partner): Promise<{ request: number; claim: number }> {
	const holder = loadHolder(7);
	const pCode = await partner.code();
	await rowsRead(() => partner.request({ pCode, ...holder }));
	// Anew: its e-mail is one that a code of the RUT carries already.
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

function lock({ id }: Partner, codes: string) {
	const text = `UPDATE purchase_codes SET validation_locked_until = ? WHERE partner_id = ? AND ${codes}`;
	return execute(text, Date.now() + 1_800_000, id);
}

/** 600 wrong claims a minute, five a lock of 30 minutes. */
const LOCKED = 3_600;

test("a filtered page of a partner with 3,600 locked codes reads fewer than 5,000 rows", async () => {
	const partner = await Partner.create();
	for (let codes = 0; codes < 4_000; codes += 500) await partner.bulk(500);
	await lock(partner, `seq <= ${LOCKED}`);
	const costly: unknown[] = [];
	for (const query of [
		...LIST_STATUSES.map((status) => `?status=${status}`),
		"?status=bloqueado&page=2",
		"?status=bloqueado&page=36",
		"?status=bloqueado&page=72",
		"?status=sin_utilizar&page=8",
	]) {
		const rows = await rowsRead(() => partner.list(query));
		if (rows >= 5_000) costly.push([query, rows]);
	}
	expect(costly).toEqual([]);
});

test("a code that leaves the list between the two trips leaves the page one shorter, not empty", async () => {
	const partner = await Partner.create();
	await partner.bulk(400);
	await lock(partner, "seq > 150");
	const { body } = await interceptDb(
		async (_, deliver, sql) => {
			const result = await deliver();
			if (sql.includes("AS older"))
				await execute(
					"UPDATE purchase_codes SET validated_at = 1 WHERE partner_id = ? AND seq = 100",
					partner.id,
				);
			return result;
		},
		() => partner.list("?status=sin_utilizar"),
	);
	expect([body.data.pagination.total, body.data.pcodes.length]).toEqual([150, 50]);
});

test("the newest page of every status is one trip to D1 while 1,200 codes are locked", async () => {
	const partner = await Partner.create();
	for (let codes = 0; codes < 2_500; codes += 500) await partner.bulk(500);
	await lock(partner, "seq % 2 AND seq < 2400");
	const trips: Record<string, number> = {};
	for (const status of LIST_STATUSES) {
		const [{ body }, made] = await tripsDuring(() => partner.list(`?status=${status}`));
		trips[status] = made.length;
		const { pagination, pcodes } = body.data;
		expect(pcodes).toHaveLength(Math.min(50, pagination.total));
	}
	expect(trips).toEqual(Object.fromEntries(LIST_STATUSES.map((status) => [status, 1])));
});

test("lists that filter by the same fields send the same SQL at any moment, so that D1 finds it compiled", async () => {
	const partner = await Partner.create();
	await partner.bulk(5);
	const batch = (await partner.list()).body.data.pcodes[0].batch_id;
	const other = await Partner.create();
	await other.bulk(3);
	const sent = async (from: Partner, query: string) => {
		const [{ status }, trips] = await tripsDuring(() => from.list(query));
		expect(status).toBe(200);
		return trips.flat().map(({ statement }) => statement);
	};
	stopClock();
	for (const [first, second] of [
		["", "?page=2&limit=3"],
		["?status=sin_utilizar", "?status=sin_utilizar&limit=2"],
		["?status=sin_utilizar&page=2&limit=1", "?status=sin_utilizar&page=3&limit=1"],
		["?status=validado&created_from=2026-01-01", "?status=validado&created_to=2027-01-01"],
		["?external_reference_id=a", "?external_reference_id=b"],
		[`?batch_id=${batch}`, "?batch_id=bt_other"],
	] as const) {
		const texts = await sent(partner, first);
		// SQLite would compile it anew each time the parameter is bound.
		expect(texts.join("\n")).not.toMatch(/LIMIT \?\d+\b(?! \+)/);
		passTime(1_000);
		expect([second, await sent(other, second)]).toEqual([second, texts]);
	}
});
