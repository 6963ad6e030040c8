import { beforeAll, expect, test } from "vitest";
import { OVERVIEW, readOverview } from "../../../src/db/overview.ts";
import { DAY_MS } from "../../../src/domain/durations.ts";
import { CODE_WINDOW_MS } from "../../../src/domain/limits.ts";
import { LIST_STATUSES } from "../../../src/domain/status-tables.ts";
import { openRegister } from "../../support/db.ts";
import { NaiveList } from "../../support/naive-list.ts";
import { runSize } from "../../support/run-size.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { freshService } from "../../support/service.ts";
import { NOW } from "../../support/stored-codes.ts";

/* A million codes: test/system/db/list-purchase-codes.test.ts. */

const { seed } = runSize({ runs: 1, seed: 20_261_122 });
let list: NaiveList;

beforeAll(async () => {
	await freshService();
	console.log(`overview: seed ${seed}`);
	list = await NaiveList.store(seededRandom(seed), { small: 700, large: 17_000 });
});

test("the overview counts what GET /pcodes lists under each status, whenever it is asked", async () => {
	const moments = [0, 1, 5, 11.5, 13, 14, 20, 60].map((days) => NOW + days * DAY_MS);
	for (const partnerId of ["small", "large", "nobody"])
		for (const now of moments) {
			const { statuses, endingSoon } = await readOverview(openRegister(), { partnerId, now, realNow: now });
			const total = (filters: object) => list.read({ partnerId, now, limit: 1, offset: 0, ...filters }).total;
			const listed = Object.fromEntries(LIST_STATUSES.map((status) => [status, total({ status })]));
			expect(statuses, `${partnerId} ${now}`).toEqual(listed);
			const createdTo = now - CODE_WINDOW_MS + OVERVIEW.codesEndMs;
			expect(endingSoon, `${partnerId} ${now}`).toBe(total({ status: "sin_utilizar", createdTo }));
		}
});
