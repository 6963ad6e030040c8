import { and, eq, gt, inArray, isNotNull, isNull, lt, lte, sql } from "drizzle-orm";
import { HOLDER_CODE_TRIES, HOLDER_PROOF_MS } from "../domain/limits.ts";
import { type DirectoryDb, query } from "./query.ts";
import { type FoundCode, holderCounts, holderVisits } from "./schema-holder.ts";

/* Visits of holders to `/revocar`. They are no partner's: no statement here names one. */

export type NewVisit = typeof holderVisits.$inferInsert;

/** Counts one more under the key. @returns the count. */
export async function countHolderCode(
	db: DirectoryDb,
	row: { key: string; eraseAt: number },
): Promise<number> {
	const [counted] = await query(
		db
			.insert(holderCounts)
			.values({ ...row, n: 1 })
			.onConflictDoUpdate({ target: holderCounts.key, set: { n: sql`n + 1` } })
			.returning({ n: holderCounts.n }),
	);
	return counted!.n;
}

/** Those of the keys under which something was counted. */
export async function selectCounted(db: DirectoryDb, keys: readonly string[]): Promise<string[]> {
	const { key } = holderCounts;
	const rows = await query(
		db
			.select({ key })
			.from(holderCounts)
			.where(inArray(key, [...keys])),
	);
	return rows.map((row) => row.key);
}

/** Begins a visit in place of the browser's earlier one. */
export async function beginVisit(db: DirectoryDb, visit: NewVisit): Promise<void> {
	const fresh = { tries: 0, found: null, provedAt: null, ...visit };
	await query(
		db.insert(holderVisits).values(fresh).onConflictDoUpdate({ target: holderVisits.tokenHash, set: fresh }),
	);
}

/** Notes what the visit has found, unless the browser has begun another one meanwhile. */
export async function noteFound(
	db: DirectoryDb,
	{ tokenHash, id }: Pick<NewVisit, "tokenHash" | "id">,
	found: readonly FoundCode[],
): Promise<void> {
	await query(
		db
			.update(holderVisits)
			.set({ found })
			.where(and(eq(holderVisits.tokenHash, tokenHash), eq(holderVisits.id, id))),
	);
}

/** Spends a try of the code, before it is compared. @returns null when there is none left, or no visit. */
export async function spendTry(db: DirectoryDb, tokenHash: string, now: number) {
	const { id, tries, codeHash, codeExpiresAt, found, provedAt } = holderVisits;
	const [row] = await query(
		db
			.update(holderVisits)
			.set({ tries: sql`tries + 1` })
			.where(
				and(
					eq(holderVisits.tokenHash, tokenHash),
					lt(tries, HOLDER_CODE_TRIES),
					gt(codeExpiresAt, now),
					isNull(provedAt),
				),
			)
			.returning({ id, tries, codeHash, found }),
	);
	return row ?? null;
}

/** The code was right. */
export async function proveVisit(
	db: DirectoryDb,
	tokenHash: string,
	codeHash: string,
	now: number,
): Promise<void> {
	const sameCode = and(eq(holderVisits.tokenHash, tokenHash), eq(holderVisits.codeHash, codeHash));
	await query(db.update(holderVisits).set({ provedAt: now }).where(sameCode));
}

/** A visit whose holder has proved to own the e-mail, for as long as that holds. */
export async function findProvedVisit(
	db: DirectoryDb,
	tokenHash: string,
	now: number,
): Promise<{ id: string; found: readonly FoundCode[] } | null> {
	const { id, found, provedAt } = holderVisits;
	const proved = and(isNotNull(provedAt), gt(provedAt, now - HOLDER_PROOF_MS), isNotNull(found));
	const [row] = await query(
		db
			.select({ id, found })
			.from(holderVisits)
			.where(and(eq(holderVisits.tokenHash, tokenHash), proved)),
	);
	return row ? { id: row.id, found: row.found ?? [] } : null;
}

/** Ends a browser's visit. @returns whether it had one. */
export async function endVisit(db: DirectoryDb, tokenHash: string): Promise<boolean> {
	const { meta } = await query(db.delete(holderVisits).where(eq(holderVisits.tokenHash, tokenHash)));
	return meta.changes > 0;
}

/** Deletes at most `limit` visits whose time is over. @returns how many. */
export async function deleteEndedVisits(db: DirectoryDb, limit: number, now: number): Promise<number> {
	const ended = sql`token_hash IN (SELECT token_hash FROM holder_visits
		WHERE ${lte(holderVisits.eraseAt, now)} ORDER BY erase_at LIMIT ${limit})`;
	const { meta } = await query(db.delete(holderVisits).where(ended));
	return meta.changes;
}

/** Deletes at most `limit` counts whose window is over. @returns how many. */
export async function deleteEndedCounts(db: DirectoryDb, limit: number, now: number): Promise<number> {
	const ended = sql`key IN (SELECT key FROM holder_counts
		WHERE ${lte(holderCounts.eraseAt, now)} ORDER BY erase_at LIMIT ${limit})`;
	const { meta } = await query(db.delete(holderCounts).where(ended));
	return meta.changes;
}
