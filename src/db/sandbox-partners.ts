import { and, asc, eq, gt, lte } from "drizzle-orm";
import { type Db, query } from "./query.ts";
import { partners } from "./schema.ts";
import { outbox } from "./schema-delivery.ts";

/* What the sandbox asks and notes of partners: in local and dev alone. */

/** Partners whose clock was moved. */
export function findMovedClocks(db: Db): Promise<{ id: string; clockOffset: number }[]> {
	const { id, clockOffset } = partners;
	return query(db.select({ id, clockOffset }).from(partners).where(gt(clockOffset, 0)));
}

/** Ids of one partner's deliveries that are due, the oldest first. @param now - by the partner's clock */
export async function findDueDeliveries(
	db: Db,
	{ partnerId, now, limit }: { partnerId: string; now: number; limit: number },
): Promise<string[]> {
	const rows = await query(
		db
			.select({ id: outbox.id })
			.from(outbox)
			.where(and(eq(outbox.partnerId, partnerId), lte(outbox.nextAttemptAt, now)))
			.orderBy(asc(outbox.nextAttemptAt))
			.limit(limit),
	);
	return rows.map(({ id }) => id);
}

/** @param until - by the real clock; null: nobody listens any more */
export async function noteListening(db: Db, partnerId: string, until: number | null): Promise<void> {
	await query(db.update(partners).set({ listeningUntil: until }).where(eq(partners.id, partnerId)));
}
