/* @module-tag bulk-quota */
import { beforeEach, expect, test } from "vitest";
import { DAY_MS } from "../../../../../src/domain/durations.ts";
import { passTime, stopClock } from "../../../../support/clock.ts";
import { execute } from "../../../../support/db.ts";
import { refusal } from "../../../../support/refusal.ts";
import { type Answer, freshService, JUANA, ops, Partner } from "../../../../support/service.ts";

/* Decision "bulk rejections": the codes of the last 14 days, less those now `emitido`, stay within max_codes_14_days. */

beforeEach(freshService);
beforeEach(stopClock);

const EXCEEDED = [403, "CODE_QUOTA_EXCEEDED"];

test("cancelled codes and replacements count, issued ones do not; a replacement is never refused", async () => {
	const partner = await Partner.create({ max_codes_14_days: 4 });
	const [first, second] = (await partner.bulk(4)).body.data.pcodes;
	expect(refusal(await partner.bulk(1))).toEqual(EXCEEDED);
	await ops("POST", `/pcodes/${first}/cancel`, { reason: "not paid" });
	expect(refusal(await partner.bulk(1))).toEqual(EXCEEDED);
	const replaced = await ops("POST", `/pcodes/${first}/replace`, { reason: "lost" });
	expect(replaced.status).toBe(200);
	await partner.request({ ...JUANA, pCode: second });
	expect((await partner.claim(second)).status).toBe(200);
	// Five codes, of which one is issued.
	expect(refusal(await partner.bulk(1))).toEqual(EXCEEDED);
	await partner.change({ max_codes_14_days: 6 });
	expect(refusal(await partner.bulk(3))).toEqual(EXCEEDED);
	expect((await partner.bulk(2)).status).toBe(201);
	await ops("POST", `/pcodes/${second}/cancel`, { reason: "sold twice" });
	await partner.change({ max_codes_14_days: 7 });
	expect(refusal(await partner.bulk(1))).toEqual(EXCEEDED);
	expect((await partner.list()).body.data.pagination.total).toBe(7);
});

test("a code counts for 14 days by its partner's clock; a repeated Idempotency-Key is no new batch", async () => {
	const partner = await Partner.create({ max_codes_14_days: 3 });
	const key = { "Idempotency-Key": "order-1" };
	const made = await partner.bulk(2, "FV01", key);
	passTime(DAY_MS / 2);
	expect((await partner.bulk(1)).status).toBe(201);
	expect((await partner.bulk(2, "FV01", key)).body).toEqual(made.body);
	expect(refusal(await partner.bulk(1))).toEqual(EXCEEDED);
	passTime(13.5 * DAY_MS - 1);
	expect(refusal(await partner.bulk(1))).toEqual(EXCEEDED);
	passTime(1);
	expect(refusal(await partner.bulk(3))).toEqual(EXCEEDED);
	expect((await partner.bulk(2)).status).toBe(201);
	const advance = await partner.desk("POST", "/sandbox/clock", { advance: "P14D" });
	expect(advance.status).toBe(200);
	expect((await partner.bulk(3)).status).toBe(201);
});

test("of calls at once, those within the quota make codes, whichever comes first", async () => {
	const partner = await Partner.create({ max_codes_14_days: 7 });
	const answers = await Promise.all([1, 2, 3, 4].map(() => partner.bulk(3)));
	const statuses = answers.map((answer: Answer) => answer.status).sort();
	expect(statuses).toEqual([201, 201, 403, 403]);
	expect((await partner.list()).body.data.pagination.total).toBe(6);
});

test("issued codes are counted across every block of the counters, exactly", async () => {
	const partner = await Partner.create({ max_codes_14_days: 1_000 });
	// So that the codes lie on both sides of number 16,384, and the window begins within a block.
	const long = Date.now() - 15 * DAY_MS;
	await execute(
		"INSERT INTO batches (id, partner_id, product, first_seq, last_seq, created_at) VALUES ('bt_old', ?, 'FV01', 1, 15990, ?)",
		...[partner.id, long],
	);
	for (const quantity of [500, 500]) expect((await partner.bulk(quantity)).status).toBe(201);
	const issue = (lo: number, hi: number) =>
		execute(
			"UPDATE purchase_codes SET issued_at = 1, certificate_not_after = 2 WHERE partner_id = ? AND seq BETWEEN ? AND ?",
			...[partner.id, lo, hi],
		);
	// The rest of the window's first block of 128, the last before 16,384, the first after it, and the newest code.
	for (const [lo, hi] of [
		[15_991, 15_993],
		[16_000, 16_001],
		[16_383, 16_384],
		[16_990, 16_990],
	] as const) {
		const room = hi - lo + 1;
		await issue(lo, hi);
		expect(refusal(await partner.bulk(room + 1))).toEqual(EXCEEDED);
		expect((await partner.bulk(room)).status).toBe(201);
	}
});
