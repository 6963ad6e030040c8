import { and, eq, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { type DeliveryKey, isDelivery, type OutboxRow } from "./outbox.ts";
import { byPartnersClock } from "./partner-clocks.ts";
import type { PartnerDb, Statement } from "./query.ts";
import { outbox } from "./schema-delivery.ts";

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
