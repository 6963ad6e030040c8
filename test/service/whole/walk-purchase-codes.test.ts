import { beforeAll, describe, expect, test } from "vitest";
import { walkPurchaseCodes } from "../../../src/db/list-purchase-codes.ts";
import { execute, openRegister } from "../../support/db.ts";
import { rowsReadDuring } from "../../support/failing-db.ts";
import { NaiveList } from "../../support/naive-list.ts";
import { runSize } from "../../support/run-size.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { freshService, Partner } from "../../support/service.ts";
import { NOW } from "../../support/stored-codes.ts";

beforeAll(freshService);

describe("a walk over a list", () => {
	const { seed } = runSize({ runs: 1, seed: 20_261_122 });

	test("has what a naive reading has, in its order, and reads little more than that", {
		tags: ["list-csv-rows"],
	}, async () => {
		const list = await NaiveList.store(seededRandom(seed), { walked: 3_500, other: 500 });
		const costs = await list.expectSameWalks("walked", rowsReadDuring);
		expect(costs.some(({ codes }) => codes === 3_500)).toBe(true);
		// Each code once, the busy ones once, and some counters.
		for (const { codes, rows } of costs) expect(rows).toBeLessThan(2 * codes + 1_500);
		const [first] = await Array.fromAsync(
			(await walkPurchaseCodes(openRegister(), { partnerId: "walked", now: NOW })).pages,
		);
		expect(first).toHaveLength(1_000);
	});

	test("with more busy codes than a page holds, of which some change on the way: each once, none of another status", async () => {
		const partner = await Partner.create();
		for (let codes = 0; codes < 3_000; codes += 500) await partner.bulk(500);
		const now = Date.now();
		const lock = (until: number, where: string) =>
			execute(
				`UPDATE purchase_codes SET validation_locked_until = ? WHERE partner_id = ? AND ${where}`,
				...[until, partner.id],
			);
		await lock(now + 1_000_000, "seq % 10 < 9");
		const walk = { partnerId: partner.id, now, status: "bloqueado" as const };
		const { total, pages } = await walkPurchaseCodes(openRegister(), walk);
		expect(total).toBe(2_700);
		await lock(now - 1, "seq % 10 = 3");
		const seen = (await Array.fromAsync(pages)).flat();
		expect(new Set(seen.map(({ code }) => code)).size).toBe(2_400);
		expect(seen).toHaveLength(2_400);
		expect(seen.every(({ validationLockedUntil }) => validationLockedUntil! > now)).toBe(true);
	});
});
