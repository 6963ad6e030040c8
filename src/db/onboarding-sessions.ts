import { and, eq, getTableColumns, gt, isNotNull, isNull, sql } from "drizzle-orm";
import { SESSION_IDLE_MS } from "../domain/limits.ts";
import type { OnboardingSession } from "../domain/onboarding-session.ts";
import type { PartnerClock } from "../domain/partner-clock.ts";
import { CHAIN_BEGIN, type ChangeOrigin, nextAuditRow } from "./audit-events.ts";
import { byPartnersClock, clockOffsetOf } from "./partner-clocks.ts";
import { ofCode } from "./purchase-codes.ts";
import { batch, type Db, query, type Statement } from "./query.ts";
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
export async function findSession(db: Db, id: string): Promise<(SessionRow & PartnerClock) | null> {
	const [row] = await query(db.select(COLUMNS).from(onboardingSessions).where(eq(onboardingSessions.id, id)));
	return row ?? null;
}

export function selectSession(db: Db, key: SessionKey) {
	return db.select(COLUMNS).from(onboardingSessions).where(isSession(key));
}

/** For the commit that makes it, after `endOpenSessions`: a code has one session at a time. */
export function insertSession(db: Db, row: SessionRow): Statement {
	return db.insert(onboardingSessions).values(row);
}

/** A step of a started session: it lives on from now, unless its partner is suspended. @param now - by the real clock */
export function prolongSession(db: Db, key: SessionKey, now: number): Statement {
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
export function markOnboarding(db: Db, { partnerId, code }: CodeKey): Statement {
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
	db: Db,
	key: SessionKey & CodeKey,
	now: number,
	origin: ChangeOrigin,
): Promise<void> {
	const started = { entity: entityOf(key), partnerId: key.partnerId, action: "started", outcome: key.code };
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
export function selectOpenSession(db: Db, { partnerId, code }: CodeKey) {
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
	db: Db,
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

export function isOpen(key: SessionKey) {
	return and(isSession(key), isNull(onboardingSessions.endedAt));
}

export function entityOf({ session }: SessionKey): string {
	return `onboarding:${session}`;
}
