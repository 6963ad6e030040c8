import { and, eq, gt, sql } from "drizzle-orm";
import { RUT_ATTEMPTS, RUT_WINDOW_MS, SECURITY_LOCK_MS } from "../domain/limits.ts";
import { type DatabaseDb, openHere, type PartnerDb, query, type Statement } from "./query.ts";
import { rutAttempts } from "./schema-holder.ts";

/* Failed ID validations of a RUT over all codes of a partner (decision "attempts over many codes"). */

/** A RUT at a partner, by its keyed index. */
export interface RutKey {
	partnerId: string;
	rutIndex: string;
}

/**
 * Counts one failure, in the commit of the code that failed: of failures of several codes at once none is lost. The
 * last one allowed opens the lock and ends the count; the next failure begins a new one.
 */
export function countRutFailure(db: PartnerDb, { partnerId, rutIndex }: RutKey, now: number): Statement {
	const begins = sql`(failures = 0 OR first_failed_at <= ${now - RUT_WINDOW_MS})`;
	const locks = sql`(NOT ${begins} AND failures + 1 >= ${RUT_ATTEMPTS})`;
	const lockEnds = now + SECURITY_LOCK_MS;
	return db
		.insert(rutAttempts)
		.values({ partnerId, rutIndex, failures: 1, firstFailedAt: now, eraseAt: now + RUT_WINDOW_MS })
		.onConflictDoUpdate({
			target: [rutAttempts.partnerId, rutAttempts.rutIndex],
			set: {
				failures: sql`CASE WHEN ${begins} THEN 1 WHEN ${locks} THEN 0 ELSE failures + 1 END`,
				firstFailedAt: sql`CASE WHEN ${begins} THEN ${now} ELSE first_failed_at END`,
				lockedUntil: sql`CASE WHEN ${locks} THEN ${lockEnds} ELSE locked_until END`,
				eraseAt: sql`CASE WHEN ${begins} THEN ${now + RUT_WINDOW_MS} WHEN ${locks} THEN ${lockEnds} ELSE erase_at END`,
			},
		});
}

/** Fails the batch while the RUT is locked: `failures` takes no null. */
export function requireUnlocked(db: PartnerDb, key: RutKey, now: number): Statement {
	return db
		.update(rutAttempts)
		.set({ failures: sql`NULL` })
		.where(and(ofRut(key), gt(rutAttempts.lockedUntil, now)));
}

/** A success clears count and lock. */
export function forgetRutFailures(db: PartnerDb, key: RutKey): Statement {
	return db.delete(rutAttempts).where(ofRut(key));
}

/** The RUT's count and lock, which may both be over. */
export function selectRutAttempts(db: PartnerDb, key: RutKey) {
	const { failures, firstFailedAt, lockedUntil } = rutAttempts;
	return db.select({ failures, firstFailedAt, lockedUntil }).from(rutAttempts).where(ofRut(key));
}

/** Deletes at most `limit` counts and locks that have ended. @returns how many. */
export async function deleteEndedRutAttempts(
	db: DatabaseDb,
	limit: number,
	now: number,
	only: string | null,
): Promise<number> {
	const ended = sql`(partner_id, rut_index) IN (SELECT partner_id, rut_index FROM rut_attempts
		WHERE erase_at <= ${now} AND ${openHere(rutAttempts.partnerId, only)} ORDER BY erase_at LIMIT ${limit})`;
	const { meta } = await query(db.delete(rutAttempts).where(ended));
	return meta.changes;
}

function ofRut({ partnerId, rutIndex }: RutKey) {
	return and(eq(rutAttempts.partnerId, partnerId), eq(rutAttempts.rutIndex, rutIndex));
}
