import { and, asc, eq, gt, sql } from "drizzle-orm";
import { ask } from "../db/register.ts";
import { evidence, purchaseCodes } from "../db/schema.ts";
import { keptUntil } from "../domain/retention.ts";
import { type Job, keyAfter, nextKey } from "./job.ts";
import { RETAINED_FACTS } from "./retained-facts.ts";

/** R2 deletes a thousand objects a call. */
const PICTURES_PER_RUN = 1_000;

/** Erases pictures of identity cards that are past their time: the object first, then the row that finds it. */
export const eraseEvidence: Job = {
	name: "erase-evidence",
	async run({ env, register, now }, cursor) {
		const page = await ask(
			register
				.select({ key: evidence.objectKey, recordedAt: evidence.createdAt, ...RETAINED_FACTS })
				.from(evidence)
				.innerJoin(
					purchaseCodes,
					and(eq(purchaseCodes.code, evidence.code), eq(purchaseCodes.partnerId, evidence.partnerId)),
				)
				.where(gt(evidence.objectKey, keyAfter(cursor)))
				.orderBy(asc(evidence.objectKey))
				.limit(PICTURES_PER_RUN),
		);
		const keys = page.filter((row) => keptUntil(row, row.recordedAt) <= now).map(({ key }) => key);
		if (keys.length > 0) await env.EVIDENCE.delete(keys);
		const erase = register
			.delete(evidence)
			.where(sql`${evidence.objectKey} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`);
		return {
			cursor: nextKey(page, PICTURES_PER_RUN, ({ key }) => key),
			report: { looked_at: page.length, pictures: keys.length },
			changes: keys.length > 0 ? [erase] : [],
		};
	},
};
