import { and, desc, eq, isNotNull, type SQL } from "drizzle-orm";
import type { OutboxRow } from "./outbox.ts";
import { type Db, query } from "./query.ts";
import { outbox } from "./schema-delivery.ts";

/* Deliveries as ops look at them, of every partner. */

/** @param partnerId - null for ops, who look at those of every partner. */
export async function findDelivery(
	db: Db,
	{ id, partnerId }: { id: string; partnerId: string | null },
): Promise<OutboxRow | null> {
	const own = partnerId === null ? undefined : eq(outbox.partnerId, partnerId);
	const [row] = await query(
		db
			.select()
			.from(outbox)
			.where(and(eq(outbox.id, id), own)),
	);
	return row ?? null;
}

export const DELIVERY_STATES = ["pending", "delivered", "dead"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

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
