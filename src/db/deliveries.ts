import { and, asc, desc, eq, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { DELIVERY_KINDS, type DeliveryKind } from "../domain/holder-messages.ts";
import { type DeliveryKey, isDelivery, type OutboxRow } from "./outbox.ts";
import { byPartnersClock } from "./partner-clocks.ts";
import {
	batch,
	type DatabaseDb,
	type Db,
	livesHere,
	type PartnerDb,
	query,
	type Statement,
} from "./query.ts";
import { DELIVERY_STATE, deliveryAttempts, outbox } from "./schema-delivery.ts";

/* Deliveries as ops look at them, of every partner. */

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

/* New rounds of attempts for deliveries that ended, and by which channel they may go. */

/** A dead letter of this moment is due again if its partner has changed since the attempt read the addresses. */
export function reopenIfChanged(
	db: PartnerDb,
	key: DeliveryKey,
	partnerVersion: number,
	now: number,
): Statement {
	const version = sql`(SELECT version FROM partners WHERE id = ${key.partnerId})`;
	return db
		.update(outbox)
		.set(reopened(now))
		.where(
			and(
				isDelivery(key),
				eq(outbox.deadAt, now),
				isNotNull(outbox.payloadSealed),
				sql`${version} <> ${partnerVersion}`,
			),
		);
}

/** A dead letter of this moment, ended on the webhook, is due again by the delivery e-mail that its partner has. */
export function reopenByEmail(db: PartnerDb, key: DeliveryKey, now: number): Statement {
	const email = sql`(SELECT delivery_email FROM partners WHERE id = ${key.partnerId})`;
	return db
		.update(outbox)
		.set({ ...reopened(now), channel: "email" })
		.where(
			and(
				isDelivery(key),
				eq(outbox.deadAt, now),
				eq(outbox.channel, "webhook"),
				isNotNull(outbox.payloadSealed),
				sql`${email} IS NOT NULL`,
			),
		);
}

/** A new round of attempts. @param now - by the real clock. @returns the row, or nothing when there is no payload left to send. */
export function reopenDelivery(db: PartnerDb, key: DeliveryKey, now: number): Statement {
	return db
		.update(outbox)
		.set(reopened(byPartnersClock(now, outbox.partnerId)))
		.where(and(isDelivery(key), isNotNull(outbox.payloadSealed)));
}

/** Another delivery carries the same certificate to the partner: each keeps its channel. */
const HAS_SIBLING = sql<number>`EXISTS (SELECT 1 FROM outbox AS sibling
	WHERE sibling.partner_id = outbox.partner_id AND sibling.code = outbox.code
		AND sibling.id <> outbox.id AND sibling.to_partner = 1)`;

/** Whether a delivery may go by the other channel than its own. */
export function selectMayChange(db: PartnerDb, key: DeliveryKey) {
	const mayChange = sql<number>`to_partner = 1 AND NOT ${HAS_SIBLING}`;
	return db.select({ mayChange }).from(outbox).where(isDelivery(key));
}

/**
 * A new round for what waits for the partner's address on this channel, which was just set or switched on: its dead
 * certificates, those of the other channel included, and what else ended with one of `eventOutcomes` on it.
 * @param of - `now`: by the real clock
 */
export function reopenWaiting(
	db: PartnerDb,
	of: { partnerId: string; channel: OutboxRow["channel"]; eventOutcomes: readonly string[]; now: number },
): Statement {
	const { partnerId, channel, eventOutcomes, now } = of;
	const certificate = and(
		eq(outbox.toPartner, true),
		or(eq(outbox.channel, channel), sql`NOT ${HAS_SIBLING}`),
	);
	const event = and(eq(outbox.channel, channel), inArray(outbox.lastOutcome, [...eventOutcomes]));
	return db
		.update(outbox)
		.set({ ...reopened(byPartnersClock(now, outbox.partnerId)), channel })
		.where(
			and(
				eq(outbox.partnerId, partnerId),
				isNotNull(outbox.deadAt),
				isNotNull(outbox.payloadSealed),
				or(certificate, event),
			),
		);
}

/** Columns that a new round of attempts sets. */
export function reopened<Time extends number | SQL<number>>(now: Time) {
	return { attempts: 0, nextAttemptAt: now, resentAt: now, deadAt: null, eraseAt: null, sweptAt: null };
}
