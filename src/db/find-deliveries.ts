import { and, desc, eq, isNotNull, type SQL } from "drizzle-orm";
import type { OutboxRow } from "./outbox.ts";
import { type Db, query } from "./query.ts";
import { outbox } from "./schema-delivery.ts";

/* Deliveries as ops look at them, of every partner. */

export async function findDelivery(db: Db, id: string): Promise<OutboxRow | null> {
	const [row] = await query(db.select().from(outbox).where(eq(outbox.id, id)).limit(1));
	return row ?? null;
}

export type DeliveryState = "pending" | "delivered" | "dead";

export function stateOf(row: Pick<OutboxRow, "deliveredAt" | "deadAt">): DeliveryState {
	return row.deliveredAt !== null ? "delivered" : row.deadAt !== null ? "dead" : "pending";
}

const IN_STATE: Record<DeliveryState, SQL | undefined> = {
	pending: isNotNull(outbox.nextAttemptAt),
	delivered: isNotNull(outbox.deliveredAt),
	dead: isNotNull(outbox.deadAt),
};

/** Newest first. */
export async function listDeliveries(
	db: Db,
	filter: { state: DeliveryState | undefined; partnerId: string | undefined; limit: number },
): Promise<OutboxRow[]> {
	const { state, partnerId, limit } = filter;
	return query(
		db
			.select()
			.from(outbox)
			.where(
				and(state && IN_STATE[state], partnerId === undefined ? undefined : eq(outbox.partnerId, partnerId)),
			)
			.orderBy(desc(outbox.createdAt), desc(outbox.id))
			.limit(limit),
	);
}
