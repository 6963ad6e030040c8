import { and, eq, gt, isNull, lte, sql } from "drizzle-orm";
import type { SessionEnd } from "../domain/onboarding-session.ts";
import { ENDED_SESSION_MS } from "../domain/retention.ts";
import { type ChangeOrigin, findChainEnd, nextAuditRow } from "./audit-events.ts";
import { type CodeKey, entityOf, isOpen, markOnboarding, type SessionKey } from "./onboarding-sessions.ts";
import { andPartner } from "./purchase-codes.ts";
import { batch, type Db, query, type RowsStatement, type Statement } from "./query.ts";
import { onboardingSessions } from "./schema-onboarding.ts";
import { auditEvents } from "./schema-operations.ts";

/* How sessions of the widget end, and what becomes of those that have. */

/**
 * Ends a session and the code's onboarding, with an entry of its audit chain.
 * @param event - creates the delivery of what the end means to the partner.
 * @throws {ConstraintViolated} as `lostAuditRace` tells it, when the session was started or ended meanwhile.
 */
export async function endSession(
	db: Db,
	key: SessionKey & CodeKey,
	{ reason, at }: { reason: SessionEnd; at: number },
	origin: ChangeOrigin,
	event: RowsStatement<{ id: string }> | null,
): Promise<{ eventCreated: boolean }> {
	const ended = { entity: entityOf(key), partnerId: key.partnerId, action: "ended", outcome: reason };
	const end = await findChainEnd(db, ended.entity, ended.partnerId);
	const audit = await nextAuditRow(db, ended, origin, end);
	const written = await batch(db, {
		audit: db.insert(auditEvents).values(audit),
		session: db.update(onboardingSessions).set({ endedAt: at, endReason: reason }).where(isOpen(key)),
		code: markOnboarding(db, key),
		event,
	});
	return { eventCreated: (written.event?.length ?? 0) > 0 };
}

/**
 * Ends the session of a code that lives, in the code's commit. One whose time is over is left to {@link endSession}, of
 * which the partner is told.
 * @param except - the session whose own step commits.
 */
export function endOpenSessions(
	db: Db,
	{ partnerId, code }: CodeKey,
	{ reason, now, except }: { reason: SessionEnd; now: number; except: string | null },
): Statement {
	const { partnerId: partner, code: itsCode, id, endedAt, until } = onboardingSessions;
	return db
		.update(onboardingSessions)
		.set({ endedAt: now, endReason: reason })
		.where(
			and(
				eq(partner, partnerId),
				eq(itsCode, code),
				isNull(endedAt),
				gt(until, now),
				except === null ? undefined : sql`${id} <> ${except}`,
			),
		);
}

/**
 * Sessions whose time is over, in no order: those that cannot be ended never stand before the others.
 * @param only - of this partner alone
 * @throws {Unavailable}
 */
export function findDueSessions(
	db: Db,
	now: number,
	limit: number,
	only: string | null,
): Promise<{ session: string; partnerId: string; code: string }[]> {
	const { id: session, partnerId, code, until, endedAt } = onboardingSessions;
	return query(
		db
			.select({ session, partnerId, code })
			.from(onboardingSessions)
			.where(and(isNull(endedAt), lte(until, now), only === null ? undefined : eq(partnerId, only)))
			.orderBy(sql`random()`)
			.limit(limit),
	);
}

/** Deletes at most `limit` records of sessions that ended a day ago. @returns how many. */
export async function deleteEndedSessions(
	db: Db,
	limit: number,
	now: number,
	only: string | null,
): Promise<number> {
	const ended = sql`id IN (SELECT id FROM onboarding_sessions
		WHERE ended_at <= ${now - ENDED_SESSION_MS} ${andPartner(only)} ORDER BY ended_at LIMIT ${limit})`;
	const { meta } = await query(db.delete(onboardingSessions).where(ended));
	return meta.changes;
}
