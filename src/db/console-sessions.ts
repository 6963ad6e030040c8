import { and, desc, eq, gt, lte, sql } from "drizzle-orm";
import { isInForce, type KeyOwner, OWNER_COLUMNS } from "./api-keys.ts";
import { type Db, query, type Statement } from "./query.ts";
import { apiKeys, consoleSessions, partners } from "./schema.ts";

/* Sessions of partners' consoles. */

export type ConsoleSession = typeof consoleSessions.$inferSelect;

export function insertConsoleSession(db: Db, session: ConsoleSession): Statement {
	return db.insert(consoleSessions).values(session);
}

/** The partner that is signed in, and its key as it is now; null when the session, or its key, is not in force. */
export async function findSessionOwner(db: Db, tokenHash: string, now: number): Promise<KeyOwner | null> {
	const { partnerId, keyId, expiresAt } = consoleSessions;
	const [owner] = await query(
		db
			.select(OWNER_COLUMNS)
			.from(consoleSessions)
			.innerJoin(apiKeys, and(eq(apiKeys.id, keyId), eq(apiKeys.partnerId, partnerId)))
			.innerJoin(partners, eq(partners.id, partnerId))
			.where(and(eq(consoleSessions.tokenHash, tokenHash), gt(expiresAt, now), isInForce(now))),
	);
	return owner ?? null;
}

/** The latest sessions of a partner, with their keys' labels. */
export function selectSessions(db: Db, partnerId: string, { limit, now }: { limit: number; now: number }) {
	const { tokenHash, createdAt, expiresAt, keyId } = consoleSessions;
	return db
		.select({ tokenHash, createdAt, expiresAt, keyId, label: apiKeys.label })
		.from(consoleSessions)
		.innerJoin(apiKeys, and(eq(apiKeys.id, keyId), eq(apiKeys.partnerId, partnerId)))
		.innerJoin(partners, eq(partners.id, consoleSessions.partnerId))
		.where(and(eq(consoleSessions.partnerId, partnerId), gt(expiresAt, now), isInForce(now)))
		.orderBy(desc(createdAt))
		.limit(limit);
}

export function deleteConsoleSession(db: Db, partnerId: string, tokenHash: string): Statement {
	const one = and(eq(consoleSessions.tokenHash, tokenHash), eq(consoleSessions.partnerId, partnerId));
	return db.delete(consoleSessions).where(one);
}

export function deleteConsoleSessions(db: Db, partnerId: string): Statement {
	return db.delete(consoleSessions).where(eq(consoleSessions.partnerId, partnerId));
}

/** Deletes at most `limit` sessions that are over. @returns how many. */
export async function deleteEndedConsoleSessions(db: Db, limit: number, now: number): Promise<number> {
	const ended = sql`token_hash IN (SELECT token_hash FROM console_sessions
		WHERE ${lte(consoleSessions.expiresAt, now)} ORDER BY expires_at LIMIT ${limit})`;
	const { meta } = await query(db.delete(consoleSessions).where(ended));
	return meta.changes;
}
