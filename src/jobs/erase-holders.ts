import { and, asc, eq, gt, sql } from "drizzle-orm";
import { ask } from "../db/query.ts";
import { holders, purchaseCodes } from "../db/schema.ts";
import { keptUntil } from "../domain/retention.ts";
import { type Job, keyAfter, nextKey } from "./job.ts";
import { RETAINED_FACTS, versionsStand } from "./retained-facts.ts";

const HOLDERS_PER_RUN = 5_000;

/**
 * Erases holders that are past their time, PIN hash included. The code keeps its facts: a claim of it answers
 * that it was never validated, and certificate_request may validate it again.
 */
export const eraseHolders: Job = {
	name: "erase-holders",
	async run({ platform: { db }, now }, cursor) {
		const page = await ask(
			db
				.select({ key: holders.code, recordedAt: holders.validatedAt, ...RETAINED_FACTS })
				.from(holders)
				.innerJoin(
					purchaseCodes,
					and(eq(purchaseCodes.code, holders.code), eq(purchaseCodes.partnerId, holders.partnerId)),
				)
				.where(gt(holders.code, keyAfter(cursor)))
				.orderBy(asc(holders.code))
				.limit(HOLDERS_PER_RUN),
		);
		const past = page.filter((row) => keptUntil(row, row.recordedAt) <= now);
		const erase = db.delete(holders).where(sql`${holders.code} IN ${versionsStand(past, now)}`);
		return {
			cursor: nextKey(page, HOLDERS_PER_RUN, ({ key }) => key),
			report: { looked_at: page.length, holders: past.length },
			changes: past.length > 0 ? [erase] : [],
		};
	},
};
