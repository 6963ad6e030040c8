import { and, asc, eq, gt, isNull, lt, or } from "drizzle-orm";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import { ask, type Db } from "./query.ts";
import { apiKeys, partners } from "./schema.ts";

export type PartnerRow = typeof partners.$inferSelect;
export type ApiKeyRow = typeof apiKeys.$inferSelect;

const KEY_USE_GRAIN_MS = 5 * 60_000;

/** A partner's settings at this moment: a statement for a step's first round trip. */
export function selectPartner(db: Db, partnerId: string) {
	return db.select().from(partners).where(eq(partners.id, partnerId)).limit(1);
}

/** The row is a superset of the settings: they are one type at the table and in the domain. */
export function settingsOf(row: PartnerRow): PartnerSettings {
	return row;
}

/** Whose key it is; null for one that is unknown, revoked at `now`, or of a suspended partner. */
export async function findKeyOwner(db: Db, hash: string, now: number) {
	const [owner] = await ask(
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
	await ask(db.update(apiKeys).set({ lastUsedAt: now }).where(key));
}

export async function listPartners(db: Db): Promise<PartnerRow[]> {
	return ask(db.select().from(partners).orderBy(asc(partners.createdAt), asc(partners.id)));
}

/** A partner and all its keys, revoked ones included. */
export async function findPartner(db: Db, partnerId: string) {
	const [[partner], keys] = await ask(
		db.batch([
			selectPartner(db, partnerId),
			db.select().from(apiKeys).where(eq(apiKeys.partnerId, partnerId)).orderBy(asc(apiKeys.createdAt)),
		]),
	);
	return partner ? { partner, keys } : null;
}
