import { and, eq, getTableColumns, gt, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { SESSION_IDLE_MS } from "../domain/limits.ts";
import type { OnboardingSession, SessionEnd } from "../domain/onboarding-session.ts";
import type { PartnerClock } from "../domain/partner-clock.ts";
import { ENDED_SESSION_MS } from "../domain/retention.ts";
import { CHAIN_BEGIN, type ChangeOrigin, findChainEnd, nextAuditRow } from "./audit-events.ts";
import { byPartnersClock, clockOffsetOf } from "./partner-clocks.ts";
import { ofCode } from "./purchase-codes.ts";
import {
	batch,
	type DatabaseDb,
	openHere,
	type PartnerDb,
	query,
	type RowsStatement,
	type Statement,
} from "./query.ts";
import { purchaseCodes } from "./schema.ts";
import { onboardingSessions } from "./schema-onboarding.ts";
import { auditEvents } from "./schema-operations.ts";

/*
 * Sessions of the widget. A step of a session moves two times and nothing else, the session's end and the code's
 * `onboarding_until`: marks, like that of a running step, which take no version of the code and block nobody.
 */

/** A session and whose it is: every change of one names both. */
export interface SessionKey {
	session: string;
	partnerId: string;
}

export type SessionRow = OnboardingSession & { tokenHash: string };

const COLUMNS = {
	...getTableColumns(onboardingSessions),
	clockOffset: clockOffsetOf(onboardingSessions.partnerId),
};

/** A session by its id alone: the call's token says whether it is its holder's. @throws {Unavailable} */
export async function findSession(db: PartnerDb, id: string): Promise<(SessionRow & PartnerClock) | null> {
	const [row] = await query(db.select(COLUMNS).from(onboardingSessions).where(eq(onboardingSessions.id, id)));
	return row ?? null;
}

export function selectSession(db: PartnerDb, key: SessionKey) {
	return db.select(COLUMNS).from(onboardingSessions).where(isSession(key));
}

/** For the commit that makes it, after `endOpenSessions`: a code has one session at a time. */
export function insertSession(db: PartnerDb, row: SessionRow): Statement {
	return db.insert(onboardingSessions).values(row);
}

/** A step of a started session: it lives on from now, unless its partner is suspended. @param now - by the real clock */
export function prolongSession(db: PartnerDb, key: SessionKey, now: number): Statement {
	const { startedAt, until } = onboardingSessions;
	const at = byPartnersClock(now, key.partnerId);
	return db
		.update(onboardingSessions)
		.set({ until: sql`${at} + ${SESSION_IDLE_MS}` })
		.where(and(isOpen(key), gt(until, at), isNotNull(startedAt), isActive(key)));
}

function isActive({ partnerId }: SessionKey) {
	return sql`EXISTS (SELECT 1 FROM partners WHERE partners.id = ${partnerId} AND partners.suspended_at IS NULL)`;
}

/** The code is in onboarding for as long as its session lives and has not validated it. */
export function markOnboarding(db: PartnerDb, { partnerId, code }: CodeKey): Statement {
	const until = sql<number>`(SELECT until_at FROM onboarding_sessions WHERE partner_id = ${partnerId}
		AND code = ${code} AND ended_at IS NULL AND started_at IS NOT NULL AND validated_at IS NULL)`;
	return db.update(purchaseCodes).set({ onboardingUntil: until }).where(ofCode(partnerId, code));
}

/**
 * Starts a session: the first entry of its audit chain, so that it is started once.
 * @param now - by the partner's clock
 * @throws {ConstraintViolated} as `lostAuditRace` tells it, when it was started, or ended, before.
 */
export async function startSession(
	db: PartnerDb,
	key: SessionKey & CodeKey,
	now: number,
	origin: ChangeOrigin,
): Promise<void> {
	const started = {
		entity: entityOf(key),
		partnerId: key.partnerId,
		action: "started" as const,
		outcome: key.code,
	};
	const audit = await nextAuditRow(db, started, origin, CHAIN_BEGIN);
	await batch(db, {
		audit: db.insert(auditEvents).values(audit),
		session: db
			.update(onboardingSessions)
			.set({ startedAt: now, until: now + SESSION_IDLE_MS })
			.where(and(isOpen(key), gt(onboardingSessions.until, now))),
		code: markOnboarding(db, key),
	});
}

/** The one session of a code that nobody has ended yet; its time may be over. */
export function selectOpenSession(db: PartnerDb, { partnerId, code }: CodeKey) {
	const { id, until, endedAt, partnerId: partner, code: itsCode } = onboardingSessions;
	return db
		.select({ id, until })
		.from(onboardingSessions)
		.where(and(eq(partner, partnerId), eq(itsCode, code), isNull(endedAt)));
}

/**
 * The session's own validation or claim has succeeded, in the code's commit: fails the batch when the session has ended
 * meanwhile, `until_at` takes no null.
 */
export function noteSuccess(
	db: PartnerDb,
	key: SessionKey,
	{ completes, now }: { completes: boolean; now: number },
): Statement {
	return db
		.update(onboardingSessions)
		.set({
			validatedAt: sql`coalesce(validated_at, ${now})`,
			until: sql`iif(ended_at IS NULL, ${now + SESSION_IDLE_MS}, NULL)`,
			...(completes && { completedAt: now }),
		})
		.where(isSession(key));
}

export interface CodeKey {
	partnerId: string;
	code: string;
}

function isSession({ session, partnerId }: SessionKey) {
	return and(eq(onboardingSessions.id, session), eq(onboardingSessions.partnerId, partnerId));
}

function isOpen(key: SessionKey) {
	return and(isSession(key), isNull(onboardingSessions.endedAt));
}

function entityOf({ session }: SessionKey): string {
	return `onboarding:${session}`;
}

/* How sessions of the widget end, and what becomes of those that have. */

/**
 * Ends a session and the code's onboarding, with an entry of its audit chain.
 * @param event - creates the delivery of what the end means to the partner.
 * @throws {ConstraintViolated} as `lostAuditRace` tells it, when the session was started or ended meanwhile.
 */
export async function endSession(
	db: PartnerDb,
	key: SessionKey & CodeKey,
	{ reason, at }: { reason: SessionEnd; at: number },
	origin: ChangeOrigin,
	event: RowsStatement<{ id: string }> | null,
): Promise<{ eventCreated: boolean }> {
	const ended = {
		entity: entityOf(key),
		partnerId: key.partnerId,
		action: "ended" as const,
		outcome: reason,
	};
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
	db: PartnerDb,
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
	db: DatabaseDb,
	now: number,
	limit: number,
	only: string | null,
): Promise<{ session: string; partnerId: string; code: string }[]> {
	const { id: session, partnerId, code, until, endedAt } = onboardingSessions;
	return query(
		db
			.select({ session, partnerId, code })
			.from(onboardingSessions)
			.where(and(isNull(endedAt), lte(until, now), openHere(partnerId, only)))
			.orderBy(sql`random()`)
			.limit(limit),
	);
}

/** Deletes at most `limit` records of sessions that ended a day ago. @returns how many. */
export async function deleteEndedSessions(
	db: DatabaseDb,
	limit: number,
	now: number,
	only: string | null,
): Promise<number> {
	const ended = sql`id IN (SELECT id FROM onboarding_sessions
		WHERE ended_at <= ${now - ENDED_SESSION_MS} AND ${openHere(onboardingSessions.partnerId, only)} ORDER BY ended_at LIMIT ${limit})`;
	const { meta } = await query(db.delete(onboardingSessions).where(ended));
	return meta.changes;
}
