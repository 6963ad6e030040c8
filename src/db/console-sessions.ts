import { and, desc, eq, getTableColumns, gt, lte, sql } from "drizzle-orm";
import { MINUTE_MS } from "../domain/durations.ts";
import { isInForce, type KeyOwner, OWNER_COLUMNS } from "./api-keys.ts";
import { type DatabaseDb, openHere, type PartnerDb, query, type Statement } from "./query.ts";
import { apiKeys, consoleSessions, partners } from "./schema.ts";

/* Sessions of partners' consoles. */

export type ConsoleSession = typeof consoleSessions.$inferSelect;

/** Grain of the last use that is noted. */
const USE_GRAIN_MS = 10 * MINUTE_MS;

export function insertConsoleSession(db: PartnerDb, session: ConsoleSession): Statement {
	return db.insert(consoleSessions).values(session);
}

interface SessionOwner extends KeyOwner {
	/** The last use noted is older than the grain. */
	isUseStale: boolean;
}

/** The partner that is signed in, and its key as it is now; null when the session, or its key, is not in force. */
export async function findSessionOwner(
	db: PartnerDb,
	tokenHash: string,
	now: number,
): Promise<SessionOwner | null> {
	const { partnerId, keyId, expiresAt, lastUsedAt } = consoleSessions;
	const [owner] = await query(
		db
			.select({ ...OWNER_COLUMNS, lastUsedAt })
			.from(consoleSessions)
			.innerJoin(apiKeys, and(eq(apiKeys.id, keyId), eq(apiKeys.partnerId, partnerId)))
			.innerJoin(partners, eq(partners.id, partnerId))
			.where(and(eq(consoleSessions.tokenHash, tokenHash), gt(expiresAt, now), isInForce(now))),
	);
	return owner ? { ...owner, isUseStale: owner.lastUsedAt <= now - USE_GRAIN_MS } : null;
}

/** Notes that a session is used. */
export async function noteSessionUse(
	db: PartnerDb,
	{ partnerId }: KeyOwner,
	tokenHash: string,
	now: number,
): Promise<void> {
	const one = and(ofPartner(partnerId, tokenHash), lte(consoleSessions.lastUsedAt, now - USE_GRAIN_MS));
	await query(db.update(consoleSessions).set({ lastUsedAt: now }).where(one));
}

/** The key that began a session of this partner; null where it has none such. */
export async function findSessionKey(
	db: PartnerDb,
	partnerId: string,
	tokenHash: string,
): Promise<string | null> {
	const { keyId } = consoleSessions;
	const [found] = await query(
		db.select({ keyId }).from(consoleSessions).where(ofPartner(partnerId, tokenHash)),
	);
	return found?.keyId ?? null;
}

export type ShownSession = Awaited<ReturnType<typeof selectSessions>>[number];

/** The latest sessions of a partner, with their keys' labels. */
export function selectSessions(
	db: PartnerDb,
	partnerId: string,
	{ limit, now }: { limit: number; now: number },
) {
	const { createdAt, expiresAt, keyId } = consoleSessions;
	return db
		.select({ ...getTableColumns(consoleSessions), label: apiKeys.label })
		.from(consoleSessions)
		.innerJoin(apiKeys, and(eq(apiKeys.id, keyId), eq(apiKeys.partnerId, partnerId)))
		.innerJoin(partners, eq(partners.id, consoleSessions.partnerId))
		.where(and(eq(consoleSessions.partnerId, partnerId), gt(expiresAt, now), isInForce(now)))
		.orderBy(desc(createdAt))
		.limit(limit);
}

export function deleteConsoleSession(db: PartnerDb, partnerId: string, tokenHash: string): Statement {
	return db.delete(consoleSessions).where(ofPartner(partnerId, tokenHash));
}

function ofPartner(partnerId: string, tokenHash: string) {
	return and(eq(consoleSessions.tokenHash, tokenHash), eq(consoleSessions.partnerId, partnerId));
}

export function deleteConsoleSessions(db: PartnerDb, partnerId: string): Statement {
	return db.delete(consoleSessions).where(eq(consoleSessions.partnerId, partnerId));
}

/** Deletes at most `limit` sessions that are over. @returns how many. */
export async function deleteEndedConsoleSessions(
	db: DatabaseDb,
	limit: number,
	now: number,
): Promise<number> {
	const ended = sql`token_hash IN (SELECT token_hash FROM console_sessions
		WHERE ${lte(consoleSessions.expiresAt, now)} AND ${openHere(consoleSessions.partnerId)} ORDER BY expires_at LIMIT ${limit})`;
	const { meta } = await query(db.delete(consoleSessions).where(ended));
	return meta.changes;
}
