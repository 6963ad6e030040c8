import { and, desc, eq, sql } from "drizzle-orm";
import type { Noticed } from "../domain/notices.ts";
import { type DeliveryKey, isDelivery, type OutboxRow } from "./outbox.ts";
import { type PartnerDb, query, type Statement } from "./query.ts";
import { outbox } from "./schema-delivery.ts";

/** The newest notice of that kind of change. Of two of one millisecond the second is due later; a delivered one is not due. */
export async function findLastNotice(
	db: PartnerDb,
	{ partnerId, changed }: { partnerId: string; changed: Noticed },
): Promise<OutboxRow | undefined> {
	const [row] = await query(
		db
			.select()
			.from(outbox)
			.where(and(eq(outbox.partnerId, partnerId), eq(outbox.noticed, changed)))
			.orderBy(desc(outbox.createdAt), desc(outbox.nextAttemptAt))
			.limit(1),
	);
	return row;
}

/**
 * Replaces what a waiting notice says. If its attempt has begun meanwhile, its id would become null, which undoes the
 * whole commit: the change is tried again (`retryLostRaces`).
 */
export function replaceNotice(db: PartnerDb, notice: DeliveryKey, payloadSealed: string): Statement {
	return db
		.update(outbox)
		.set({ payloadSealed, id: sql`CASE WHEN attempts = 0 THEN id END` })
		.where(isDelivery(notice));
}
