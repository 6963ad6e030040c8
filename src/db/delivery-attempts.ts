import { inArray, sql } from "drizzle-orm";
import { type DatabaseDb, openHere, type PartnerDb, query, type Statement } from "./query.ts";
import { deliveryAttempts } from "./schema-delivery.ts";

export type AttemptRow = typeof deliveryAttempts.$inferSelect;
export type NewAttempt = Omit<AttemptRow, "id">;

/** For the commit that records how the attempt ended. */
export function recordAttempt(db: PartnerDb, attempt: NewAttempt): Statement {
	return db.insert(deliveryAttempts).values(attempt);
}

/** Deletes the oldest, at most `limit`, that were made until then. @returns how many. */
export async function deleteOldAttempts(
	db: DatabaseDb,
	limit: number,
	until: number,
	only: string | null,
): Promise<number> {
	// Rows are read in the order of their ids: one page is read, whether anything in it is old or not.
	const old = sql`(SELECT id FROM (SELECT id, at FROM delivery_attempts WHERE ${openHere(deliveryAttempts.partnerId, only)} ORDER BY id LIMIT ${limit}) WHERE at <= ${until})`;
	const { meta } = await query(db.delete(deliveryAttempts).where(inArray(deliveryAttempts.id, old)));
	return meta.changes;
}
