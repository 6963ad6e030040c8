import { and, asc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { MINUTE_MS } from "../domain/durations.ts";
import { type DatabaseDb, openHere, type PartnerDb, query, type Statement } from "./query.ts";
import { apiKeys, KEY_ENDS_AT, partners } from "./schema.ts";

export type ApiKeyRow = typeof apiKeys.$inferSelect;

export type NewKey = Pick<ApiKeyRow, "id" | "hash" | "label" | "scopes" | "expiresAt" | "allowedCidrs">;

/** The partner that owns a key, and what the key may be used for. */
export interface KeyOwner extends Pick<ApiKeyRow, "scopes" | "expiresAt" | "allowedCidrs"> {
	keyId: string;
	partnerId: string;
	partnerName: string;
	clockOffset: number;
}

const KEY_USE_GRAIN_MS = 5 * MINUTE_MS;

/** A key has neither ended nor expired at `now`, and its partner is not suspended. */
export function isInForce(now: number) {
	return and(
		or(isNull(apiKeys.revokedAt), gt(apiKeys.revokedAt, now)),
		or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
		isNull(partners.suspendedAt),
	);
}

/** The columns of {@link KeyOwner}. */
export const OWNER_COLUMNS = {
	keyId: apiKeys.id,
	partnerId: partners.id,
	partnerName: partners.name,
	clockOffset: partners.clockOffset,
	scopes: apiKeys.scopes,
	expiresAt: apiKeys.expiresAt,
	allowedCidrs: apiKeys.allowedCidrs,
};

/** Finds the key's owner; null for a key that is unknown, has ended at `now`, or is a suspended partner's. */
export async function findKeyOwner(db: PartnerDb, hash: string, now: number): Promise<KeyOwner | null> {
	const [owner] = await query(
		db
			.select(OWNER_COLUMNS)
			.from(apiKeys)
			.innerJoin(partners, eq(partners.id, apiKeys.partnerId))
			.where(and(eq(apiKeys.hash, hash), isInForce(now))),
	);
	return owner ?? null;
}

/** Notes that a key was used, to five minutes. */
export async function noteKeyUse(
	db: PartnerDb,
	{ keyId, partnerId }: { keyId: string; partnerId: string },
	now: number,
): Promise<void> {
	const stale = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, now - KEY_USE_GRAIN_MS));
	const key = and(eq(apiKeys.id, keyId), eq(apiKeys.partnerId, partnerId), stale);
	await query(db.update(apiKeys).set({ lastUsedAt: now }).where(key));
}

/* A partner's keys: those in force, which are 100 at most, and pages of those that have ended. */

const ENDS_AT = sql.raw(KEY_ENDS_AT);

/** A partner's keys in force, oldest first. */
export function selectKeys(db: PartnerDb, partnerId: string, now: number) {
	return db
		.select()
		.from(apiKeys)
		.where(and(eq(apiKeys.partnerId, partnerId), sql`${ENDS_AT} > ${now}`))
		.orderBy(asc(apiKeys.createdAt), sql`rowid`);
}

/** One key of a partner, ended or not. */
export async function findKey(db: PartnerDb, partnerId: string, keyId: string): Promise<ApiKeyRow | null> {
	const own = and(eq(apiKeys.id, keyId), eq(apiKeys.partnerId, partnerId));
	const [key] = await query(db.select().from(apiKeys).where(own));
	return key ?? null;
}

/** Where a page of ended keys starts: after this one. */
export interface EndedKey {
	endedAt: number;
	id: string;
}

/** A partner's keys that have ended, the latest first. */
export function pageEndedKeys(
	db: PartnerDb,
	partnerId: string,
	{ after, now, limit }: { after: EndedKey | undefined; now: number; limit: number },
): Promise<ApiKeyRow[]> {
	const { endedAt, id } = after ?? { endedAt: now + 1, id: "" };
	return query(
		db
			.select()
			.from(apiKeys)
			.where(
				and(
					eq(apiKeys.partnerId, partnerId),
					sql`${ENDS_AT} <= ${Math.min(endedAt, now)}`,
					sql`(${ENDS_AT} < ${endedAt} OR ${apiKeys.id} < ${id})`,
				),
			)
			.orderBy(sql`${ENDS_AT} DESC`, sql`${apiKeys.id} DESC`)
			.limit(limit),
	);
}

/** Finds the hashes of at most `limit` keys of any partner that ended by `until`. */
export async function findEndedKeys(db: DatabaseDb, limit: number, until: number): Promise<string[]> {
	const ended = db
		.select({ hash: apiKeys.hash })
		.from(apiKeys)
		.where(and(sql`${ENDS_AT} <= ${until}`, openHere(apiKeys.partnerId)))
		.orderBy(ENDS_AT)
		.limit(limit);
	return (await query(ended)).map(({ hash }) => hash);
}

/** Deletes keys by their hashes. @returns how many. */
export async function deleteEndedKeys(db: DatabaseDb, hashes: readonly string[]): Promise<number> {
	const these = sql`hash IN (SELECT value FROM json_each(${JSON.stringify(hashes)})) AND ${openHere(apiKeys.partnerId)}`;
	const { meta } = await query(db.delete(apiKeys).where(these));
	return meta.changes;
}

export function insertKey(db: PartnerDb, partnerId: string, key: NewKey, now: number): Statement {
	return db.insert(apiKeys).values({ ...key, partnerId, createdAt: now });
}

/** Ends a key at `at`, epoch milliseconds, unless it ends before; a second time changes nothing. */
export function endKey(db: PartnerDb, partnerId: string, keyId: string, at: number): Statement {
	const later = or(isNull(apiKeys.revokedAt), gt(apiKeys.revokedAt, at));
	const key = and(eq(apiKeys.id, keyId), eq(apiKeys.partnerId, partnerId), later);
	return db.update(apiKeys).set({ revokedAt: at }).where(key);
}

/* Keeps this isolate's recent look-ups of presented keys, by the key's hash. `http/authenticate.ts` says for how long. */

/** Apart from {@link unknownKeys}, so that keys that a stranger invents push out none that somebody holds. */
export const knownKeys = new Map<string, { owner: KeyOwner; until: number }>();
/** Until when a key counts as unknown, epoch milliseconds. */
export const unknownKeys = new Map<string, number>();

/** Forgets every key. `changePartner` calls it, so that a change is in force in its isolate at once. */
export function forgetKeys(): void {
	knownKeys.clear();
	unknownKeys.clear();
}
