import { sql } from "drizzle-orm";
import { ask, type Db } from "../db/query.ts";
import { idempotencyKeys } from "../db/schema-upkeep.ts";
import type { Job } from "./job.ts";

const KEYS_PER_PAGE = 5_000;
/** A run forgets 200,000 keys: many more than a service writes in an hour. */
const PAGES_PER_RUN = 40;

/** A used Idempotency-Key is forgotten after its day. It is not audited: it tells of nobody. */
export const forgetIdempotencyKeys: Job = {
	name: "forget-idempotency-keys",
	async run({ platform: { db }, now }) {
		let keys = 0;
		for (let page = 0; page < PAGES_PER_RUN; page++) {
			const forgotten = await forgetPage(db, now);
			keys += forgotten;
			if (forgotten < KEYS_PER_PAGE) return { cursor: null, report: { keys }, changes: [] };
		}
		return { cursor: "more", report: { keys }, changes: [] };
	},
};

async function forgetPage(db: Db, now: number): Promise<number> {
	const expired = sql`(partner_id, key_id) IN (SELECT partner_id, key_id FROM idempotency_keys
		WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${KEYS_PER_PAGE})`;
	const { meta } = await ask(db.delete(idempotencyKeys).where(expired));
	return meta.changes;
}
