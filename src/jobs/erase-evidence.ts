import { and, asc, eq, gt, sql } from "drizzle-orm";
import { ask } from "../db/query.ts";
import { evidence, holders, purchaseCodes } from "../db/schema.ts";
import { keptUntil } from "../domain/retention.ts";
import { type Job, keyAfter, nextKey } from "./job.ts";
import { RETAINED_FACTS } from "./retained-facts.ts";

const PICTURES_PER_RUN = 5_000;
/** R2's own limit. */
const DELETED_PER_CALL = 1_000;

/** Erases pictures of identity cards that are past their time: the object first, then the row that finds it. */
export const eraseEvidence: Job = {
	name: "erase-evidence",
	async run({ platform: { db, evidence: bucket }, now }, cursor) {
		const page = await ask(
			db
				.select({
					key: evidence.objectKey,
					recordedAt: evidence.createdAt,
					holder: holders.rutIndex,
					...RETAINED_FACTS,
				})
				.from(evidence)
				.innerJoin(
					purchaseCodes,
					and(eq(purchaseCodes.code, evidence.code), eq(purchaseCodes.partnerId, evidence.partnerId)),
				)
				.leftJoin(holders, and(eq(holders.code, evidence.code), eq(holders.partnerId, evidence.partnerId)))
				.where(gt(evidence.objectKey, keyAfter(cursor)))
				.orderBy(asc(evidence.objectKey))
				.limit(PICTURES_PER_RUN),
		);
		// A holder that is still there can claim: the pictures go after it, never before.
		const past = page.filter((row) => row.holder === null && keptUntil(row, row.recordedAt) <= now);
		const keys = past.map(({ key }) => key);
		for (let i = 0; i < keys.length; i += DELETED_PER_CALL)
			await bucket.delete(keys.slice(i, i + DELETED_PER_CALL));
		const erase = db
			.delete(evidence)
			.where(sql`${evidence.objectKey} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`);
		return {
			cursor: nextKey(page, PICTURES_PER_RUN, ({ key }) => key),
			report: { looked_at: page.length, pictures: keys.length },
			changes: keys.length > 0 ? [erase] : [],
		};
	},
};
