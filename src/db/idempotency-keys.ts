import { and, eq, gt, sql } from "drizzle-orm";
import { IDEMPOTENCY_MS, LEASE_MS } from "../domain/limits.ts";
import type { PartnerDb, Statement } from "./query.ts";
import { idempotencyKeys } from "./schema-operations.ts";

export interface IdempotencyMark {
	partnerId: string;
	/** Keyed hash of the caller's key. */
	keyId: string;
	/** Keyed hash of route and body. */
	fingerprint: string;
}

/** Notes that a call with this key runs, unless the partner has used the key before. */
export function openIdempotencyKey(db: PartnerDb, mark: IdempotencyMark, now: number): Statement {
	const fresh = { ...mark, batchId: null, runningUntil: now + LEASE_MS, expiresAt: now + IDEMPOTENCY_MS };
	return db
		.insert(idempotencyKeys)
		.values(fresh)
		.onConflictDoUpdate({
			target: [idempotencyKeys.partnerId, idempotencyKeys.keyId],
			set: fresh,
			setWhere: sql`${idempotencyKeys.expiresAt} <= ${now} OR ${idempotencyKeys.runningUntil} <= ${now}`,
		});
}

/** The partner's earlier use of the key, if its day is not over. */
export function selectIdempotencyKey(db: PartnerDb, { partnerId, keyId }: IdempotencyMark, now: number) {
	const ofKey = and(eq(idempotencyKeys.partnerId, partnerId), eq(idempotencyKeys.keyId, keyId));
	return db
		.select({ fingerprint: idempotencyKeys.fingerprint, batchId: idempotencyKeys.batchId })
		.from(idempotencyKeys)
		.where(and(ofKey, gt(idempotencyKeys.expiresAt, now)));
}

/** The call is over: a final answer keeps the key for a day, any other frees it. */
export function closeIdempotencyKey(
	db: PartnerDb,
	mark: IdempotencyMark,
	kept: boolean,
	now: number,
): Statement {
	const own = and(
		eq(idempotencyKeys.partnerId, mark.partnerId),
		eq(idempotencyKeys.keyId, mark.keyId),
		eq(idempotencyKeys.fingerprint, mark.fingerprint),
	);
	return kept
		? db
				.update(idempotencyKeys)
				.set({ runningUntil: null, expiresAt: now + IDEMPOTENCY_MS })
				.where(own)
		: db.delete(idempotencyKeys).where(own);
}
