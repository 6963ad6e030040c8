import { and, eq, gt, isNull, lt, or } from "drizzle-orm";
import { type Db, query, type Statement } from "./query.ts";
import { apiKeys, partners } from "./schema.ts";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

export type NewKey = Pick<typeof apiKeys.$inferInsert, "id" | "hash" | "label">;

/** The partner that owns a key. */
export interface KeyOwner {
	keyId: string;
	partnerId: string;
	partnerName: string;
}

const KEY_USE_GRAIN_MS = 5 * 60_000;

/** Whose key it is; null for one that is unknown, revoked at `now`, or of a suspended partner. */
export async function findKeyOwner(db: Db, hash: string, now: number): Promise<KeyOwner | null> {
	const [owner] = await query(
		db
			.select({ keyId: apiKeys.id, partnerId: partners.id, partnerName: partners.name })
			.from(apiKeys)
			.innerJoin(partners, eq(partners.id, apiKeys.partnerId))
			.where(
				and(
					eq(apiKeys.hash, hash),
					or(isNull(apiKeys.revokedAt), gt(apiKeys.revokedAt, now)),
					isNull(partners.suspendedAt),
				),
			)
			.limit(1),
	);
	return owner ?? null;
}

/** Notes that a key was used, to five minutes. */
export async function noteKeyUse(
	db: Db,
	{ keyId, partnerId }: { keyId: string; partnerId: string },
	now: number,
): Promise<void> {
	const stale = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, now - KEY_USE_GRAIN_MS));
	const key = and(eq(apiKeys.id, keyId), eq(apiKeys.partnerId, partnerId), stale);
	await query(db.update(apiKeys).set({ lastUsedAt: now }).where(key));
}

export function addKey(db: Db, partnerId: string, key: NewKey, now: number): Statement {
	return db.insert(apiKeys).values({ ...key, partnerId, createdAt: now });
}

/** Ends a key at `at`, epoch milliseconds, unless it ends before; a second time changes nothing. */
export function revokeKey(db: Db, partnerId: string, keyId: string, at: number): Statement {
	const later = or(isNull(apiKeys.revokedAt), gt(apiKeys.revokedAt, at));
	const key = and(eq(apiKeys.id, keyId), eq(apiKeys.partnerId, partnerId), later);
	return db.update(apiKeys).set({ revokedAt: at }).where(key);
}
