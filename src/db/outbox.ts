import { and, asc, eq, getTableColumns, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { ALL_EVENTS } from "../domain/webhook-events.ts";
import { byPartnersClock } from "./partner-clocks.ts";
import {
	batch,
	type DatabaseDb,
	type Db,
	openHere,
	type PartnerDb,
	query,
	type RowsStatement,
	type Statement,
} from "./query.ts";
import { partners } from "./schema.ts";
import { outbox } from "./schema-delivery.ts";

export type OutboxRow = typeof outbox.$inferSelect;
export type NewDelivery = typeof outbox.$inferInsert;

/** A delivery and whose it is: every change of one names both. */
export interface DeliveryKey {
	id: string;
	partnerId: string;
}

/** A running attempt, as the claim wrote it: a late one no longer fits and changes nothing. */
export interface Claim extends DeliveryKey {
	/** The channel of the attempt. */
	channel: OutboxRow["channel"];
	attempts: number;
	/** Until when the row is this attempt's. */
	leasedUntil: number;
}

/** The few rows of one certificate. */
export function insertDeliveries(db: Db, rows: readonly NewDelivery[]): Statement {
	return db.insert(outbox).values([...rows]);
}

/** Any number of rows, as one JSON parameter: D1 takes at most 100 parameters a statement, of 2 MB in all. */
export function insertManyDeliveries(db: Db, rows: readonly NewDelivery[]): Statement {
	const columns = Object.keys(getTableColumns(outbox)).map((column) => sql`value ->> ${column}`);
	const selected = sql`SELECT ${sql.join(columns, sql`, `)} FROM json_each(${JSON.stringify(rows)})`;
	return db.insert(outbox).select(selected);
}

/**
 * Inserts and returns the row if its partner, at that moment, has a webhook or listens, and subscribes to the event.
 * @param now - by the real clock
 */
export function insertIfSubscribed(
	db: PartnerDb,
	row: NewDelivery,
	now: number,
): RowsStatement<{ id: string }> {
	const values = Object.keys(getTableColumns(outbox)).map(
		(column) => row[column as keyof NewDelivery] ?? null,
	);
	const list = sql.join(
		values.map((value) => sql`${value}`),
		sql`, `,
	);
	const selected = sql`SELECT ${list} FROM ${partners}
		WHERE ${partners.id} = ${row.partnerId} AND (${partners.webhookUrl} IS NOT NULL OR ${partners.listeningUntil} > ${now})
			AND EXISTS (SELECT 1 FROM json_each(${partners.webhookEvents}) WHERE value IN (${row.event}, ${ALL_EVENTS}))`;
	return db.insert(outbox).select(selected).returning({ id: outbox.id });
}

/**
 * Takes a due row for one attempt: `next_attempt_at` moves to when the attempt counts as crashed, so that of two
 * claims one finds nothing due.
 * @param now - by the real clock; the row is due by its partner's
 * @param leases - milliseconds for the first, second … attempt; the last holds for all after it.
 */
export function claimDelivery(
	db: PartnerDb,
	{ now, leases, ...key }: DeliveryKey & { now: number; leases: readonly number[] },
) {
	const cases = leases.map((lease, i) => sql`WHEN ${i} THEN ${lease}`);
	const at = byPartnersClock(now, outbox.partnerId);
	const lease = sql<number>`${at} + CASE attempts ${sql.join(cases, sql` `)} ELSE ${leases.at(-1)} END`;
	return db
		.update(outbox)
		.set({ attempts: sql`attempts + 1`, lastAttemptAt: at, nextAttemptAt: lease })
		.where(and(isDelivery(key), isNull(outbox.deliveredAt), lte(outbox.nextAttemptAt, at)))
		.returning();
}

/** Notes an arrival, whatever became of the row meanwhile, and deletes the payload. */
export function markDelivered({ channel, ...key }: Claim, now: number): Statement {
	const delivered = { channel, deliveredAt: now, lastAttemptAt: now, lastOutcome: "delivered", ...ENDED };
	return erasePayloads(delivered, and(isDelivery(key), isNull(outbox.deliveredAt)));
}

export function markFailed(
	db: PartnerDb,
	claim: Claim,
	result: { outcome: string; now: number; nextAttemptAt: number },
): Statement {
	const { outcome, now, nextAttemptAt } = result;
	return db
		.update(outbox)
		.set({ channel: claim.channel, lastOutcome: outcome, lastAttemptAt: now, nextAttemptAt })
		.where(ofClaim(claim));
}

export function markDead(
	db: PartnerDb,
	claim: Claim,
	result: { outcome: string; now: number; eraseAt: number },
): Statement {
	const { outcome, now, eraseAt } = result;
	const { channel } = claim;
	return db
		.update(outbox)
		.set({ channel, lastOutcome: outcome, lastAttemptAt: now, deadAt: now, nextAttemptAt: null, eraseAt })
		.where(ofClaim(claim));
}

/** A certificate that was made void must not leave any more: what is undelivered goes. */
export function withdrawCertificate({
	partnerId,
	code,
	now,
	why,
}: {
	partnerId: string;
	code: string;
	now: number;
	why: "cancelled" | "revoked";
}): Statement {
	return erasePayloads(
		{ lastOutcome: why, ...ENDED, deadAt: now },
		and(
			eq(outbox.partnerId, partnerId),
			eq(outbox.code, code),
			eq(outbox.event, "certificate.emitted"),
			isNull(outbox.deliveredAt),
		),
	);
}

/** Deliveries that carry a code's certificate to its B2B partner: one for each address that it had. */
export function selectCarrying(db: PartnerDb, { partnerId, code }: { partnerId: string; code: string }) {
	const isKept = sql`${outbox.payloadSealed} IS NOT NULL`.mapWith(Boolean);
	return db
		.select({ deliveredAt: outbox.deliveredAt, nextAttemptAt: outbox.nextAttemptAt, isKept })
		.from(outbox)
		.where(and(eq(outbox.partnerId, partnerId), eq(outbox.code, code), sql`to_partner = 1`));
}

/**
 * Rows that are overdue, because their message was lost or never sent; each again only after `againAfter`.
 * @param of - `partnerId`: of this partner alone, by its clock
 */
export async function takeOverdue(
	db: DatabaseDb,
	of: { now: number; graceMs: number; againAfterMs: number; limit: number; partnerId?: string },
): Promise<DeliveryKey[]> {
	const { now, graceMs, againAfterMs, limit, partnerId } = of;
	const overdue = db
		.select({ id: outbox.id })
		.from(outbox)
		.where(
			and(
				lte(outbox.nextAttemptAt, now - graceMs),
				or(isNull(outbox.sweptAt), lte(outbox.sweptAt, now - againAfterMs)),
				openHere(outbox.partnerId, partnerId),
			),
		)
		.orderBy(outbox.nextAttemptAt)
		.limit(limit);
	return query(
		db
			.update(outbox)
			.set({ sweptAt: now })
			.where(inArray(outbox.id, overdue))
			.returning({ partnerId: outbox.partnerId, id: outbox.id }),
	);
}

/** Ids of one partner's deliveries that are due, the oldest first. @param now - by the partner's clock */
export async function findDueDeliveries(
	db: PartnerDb,
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

/** Erases the payloads of dead letters whose time is over. @param partnerId - of this partner alone. @returns how many. */
export async function eraseDeadPayloads(
	db: DatabaseDb,
	now: number,
	partnerId: string | null,
): Promise<number> {
	const over = and(lte(outbox.eraseAt, now), openHere(outbox.partnerId, partnerId));
	const { erased } = await batch(db, { erased: sql`${erasePayloads({}, over)} RETURNING id` });
	return erased.length;
}

const ENDED = { nextAttemptAt: null, deadAt: null } as const;
const COLUMNS = Object.entries(getTableColumns(outbox));
const NAMES = sql.join(
	COLUMNS.map(([, { name }]) => sql.identifier(name)),
	sql`, `,
);

/**
 * Changes rows and deletes their payloads. Written by hand, for the rows are replaced: SQLite merges the page of a row that is
 * deleted, and never that of one that an UPDATE makes shorter. Updated, each certificate that was delivered would keep two
 * pages almost empty for good.
 */
function erasePayloads(set: Partial<OutboxRow>, condition: SQL | undefined): SQL {
	const changed: Partial<OutboxRow> = { ...set, payloadSealed: null, recipientSealed: null, eraseAt: null };
	const values = COLUMNS.map(([property, column]) =>
		property in changed ? sql`${changed[property as keyof OutboxRow]}` : column,
	);
	return sql`REPLACE INTO ${outbox} (${NAMES}) SELECT ${sql.join(values, sql`, `)} FROM ${outbox} WHERE ${condition}`;
}

export function isDelivery({ id, partnerId }: DeliveryKey) {
	return and(eq(outbox.id, id), eq(outbox.partnerId, partnerId));
}

function ofClaim({ id, partnerId, attempts, leasedUntil }: Claim) {
	return and(
		isDelivery({ id, partnerId }),
		eq(outbox.attempts, attempts),
		eq(outbox.nextAttemptAt, leasedUntil),
		isNull(outbox.deliveredAt),
	);
}
