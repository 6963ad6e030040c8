import { beforeAll, describe, expect, test } from "vitest";
import { listPurchaseCodes } from "../../../src/db/list-purchase-codes.ts";
import { openRegister } from "../../support/db.ts";
import { NaiveList } from "../../support/naive-list.ts";
import { runSize } from "../../support/run-size.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { freshService } from "../../support/service.ts";
import { countersAfterUpdates, NOW } from "../../support/stored-codes.ts";

/* A million codes: test/system/db/list-purchase-codes.test.ts. */

beforeAll(freshService);

describe("GET /pcodes lists what a naive reading of D1 lists", () => {
	const { seed } = runSize({ runs: 1, seed: 20_261_121 });
	let list: NaiveList;

	beforeAll(async () => {
		console.log(`list-purchase-codes: seed ${seed}`);
		list = await NaiveList.store(seededRandom(seed), { small: 700, large: 17_000, other: 300 });
	});

	test(
		"under every single filter, at the first, a middle and the last page and beyond",
		{ tags: ["list-sql-same-table"] },
		() => list.expectSameUnderSingleFilters(["small", "nobody"]),
	);

	test("under random filters at random moments", () =>
		list.expectSameUnderRandomFilters(["small", "large", "other"], 60));

	test("page after page without a gap or a repetition", async () => {
		for (const filters of [{}, { status: "bloqueado" }, { reference: "shared" }] as const) {
			const query = { partnerId: "large", now: NOW, ...filters };
			const seen: string[] = [];
			for (let offset = 0, total = 1; offset < total; offset += 500) {
				const page = await listPurchaseCodes(openRegister(), { ...query, limit: 500, offset });
				total = page.total;
				seen.push(...page.codes.map(({ code }) => code));
			}
			expect(seen).toEqual(list.read({ ...query, limit: Infinity, offset: 0 }).codes.map(({ code }) => code));
		}
	});
});

test("code_counts stays a recount of the codes through every update", async () => {
	const { kept, recount } = await countersAfterUpdates({ codes: 2_000, rounds: 10, updates: 10 });
	expect(kept).toEqual(recount);
});
