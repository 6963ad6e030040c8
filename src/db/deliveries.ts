import { and, asc, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { DELIVERY_KINDS, type DeliveryKind } from "../domain/holder-messages.ts";
import type { DeliveryKey, OutboxRow } from "./outbox.ts";
import { batch, type DatabaseDb, type Db, livesHere, type PartnerDb, query } from "./query.ts";
import { DELIVERY_STATE, deliveryAttempts, outbox } from "./schema-delivery.ts";

/* Reads deliveries: those of every partner for ops, then a partner's own. */

/** @param partnerId - null for ops, who look at those of every partner. */
export async function findDelivery(
	db: Db,
	{ id, partnerId }: { id: string; partnerId: string | null },
): Promise<OutboxRow | null> {
	const own = partnerId === null ? livesHere(outbox.partnerId) : eq(outbox.partnerId, partnerId);
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
	db: DatabaseDb,
	filter: { state: DeliveryState | undefined; partnerId: string | undefined; limit: number },
): Promise<OutboxRow[]> {
	const { state, partnerId, limit } = filter;
	return query(
		db
			.select()
			.from(outbox)
			.where(
				and(
					state && IN_STATE[state],
					livesHere(outbox.partnerId),
					partnerId === undefined ? undefined : eq(outbox.partnerId, partnerId),
				),
			)
			.orderBy(desc(outbox.createdAt), desc(outbox.id))
			.limit(limit),
	);
}

/*
 * A partner's own deliveries: pages of which each reads its own length by index, and the attempts of one. Pages are
 * written by hand: drizzle has no rowid, no json_each, and compares no pairs.
 */

/** A delivery without its payload. */
export type ShownDelivery = Omit<
	OutboxRow,
	"partnerId" | "toPartner" | "recipientSealed" | "payloadSealed" | "eraseAt" | "sweptAt"
> & { payloadKept: boolean };

/** Where a page starts: after this delivery. */
export interface DeliveryPosition {
	createdAt: number;
	id: string;
}

const SHOWN = sql.raw(`shown.id, shown.code, shown.event, shown.channel, shown.created_at AS "createdAt",
	shown.attempts, shown.last_outcome AS "lastOutcome", shown.last_attempt_at AS "lastAttemptAt",
	shown.next_attempt_at AS "nextAttemptAt", shown.delivered_at AS "deliveredAt", shown.dead_at AS "deadAt",
	shown.resent_at AS "resentAt", shown.payload_sealed IS NOT NULL AS "payloadKept"`);

const STATE = sql.raw(`(${DELIVERY_STATE})`);

/** Newest first. */
export async function pageDeliveries(
	db: PartnerDb,
	partnerId: string,
	asked: {
		state: DeliveryState | undefined;
		event: DeliveryKind | undefined;
		code: string | undefined;
		/** Created then or later, epoch milliseconds. */
		since: number | undefined;
		after: DeliveryPosition | undefined;
		limit: number;
	},
): Promise<ShownDelivery[]> {
	const { state, event, code, since = 0, after, limit } = asked;
	const start = after ?? { createdAt: Number.MAX_SAFE_INTEGER, id: "" };
	const newest = sql`(created_at, outbox.id) < (${start.createdAt}, ${start.id}) AND created_at >= ${since}
		ORDER BY created_at DESC, outbox.id DESC LIMIT ${limit}`;
	const own = sql`FROM outbox WHERE partner_id = ${partnerId}`;
	const rowids =
		code !== undefined
			? sql`SELECT rowid ${own} AND code = ${code} AND ${is(sql`+${STATE}`, state)} AND ${is(sql`+event`, event)} AND ${newest}`
			: state === undefined && event === undefined
				? sql`SELECT rowid ${own} AND ${newest}`
				: ofKinds(
						state,
						event,
						sql`${own} AND ${STATE} = kind.value ->> 0 AND event = kind.value ->> 1 AND ${newest}`,
					);
	const { page } = await batch(db, {
		page: sql<
			Omit<ShownDelivery, "payloadKept"> & { payloadKept: number }
		>`SELECT ${SHOWN} FROM outbox AS shown
			WHERE +shown.partner_id = ${partnerId} AND shown.rowid IN (${rowids})
			ORDER BY shown.created_at DESC, shown.id DESC LIMIT ${limit}`,
	});
	return page.map((row) => ({ ...row, payloadKept: row.payloadKept === 1 }));
}

function is(what: SQL, value: string | undefined): SQL {
	return value === undefined ? sql`true` : sql`${what} = ${value}`;
}

/** A page of each state and event that is asked for: the index has them side by side, each in its order. */
function ofKinds(state: DeliveryState | undefined, event: DeliveryKind | undefined, page: SQL): SQL {
	const states = state === undefined ? DELIVERY_STATES : [state];
	const events = event === undefined ? DELIVERY_KINDS : [event];
	const kinds = JSON.stringify(states.flatMap((state) => events.map((event) => [state, event])));
	return sql`SELECT found.value FROM json_each(${kinds}) AS kind,
		json_each((SELECT json_group_array(rowid) FROM (SELECT rowid ${page}))) AS found`;
}

/** A delivery and its attempts, oldest first. */
export async function findOwnDelivery(db: PartnerDb, { id, partnerId }: DeliveryKey) {
	const {
		row: [row],
		attempts,
	} = await batch(db, {
		row: db
			.select()
			.from(outbox)
			.where(and(eq(outbox.id, id), eq(outbox.partnerId, partnerId))),
		attempts: db
			.select()
			.from(deliveryAttempts)
			.where(and(eq(deliveryAttempts.partnerId, partnerId), eq(deliveryAttempts.deliveryId, id)))
			.orderBy(asc(deliveryAttempts.id))
			.limit(ATTEMPTS_SHOWN),
	});
	return row ? { row, attempts } : null;
}

/** Ten a round; rounds as often as somebody asks for one. */
const ATTEMPTS_SHOWN = 200;
