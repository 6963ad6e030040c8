import { and, asc, eq, gt, gte, isNotNull, lte, sql } from "drizzle-orm";
import type { RevocationReason } from "../domain/revocation-reason.ts";
import { type Db, query } from "./query.ts";
import { certificates, crlState } from "./schema.ts";

const THE_ROW = eq(crlState.id, 1);

/** How many certificates were ever revoked. */
export async function countRevocations(db: Db): Promise<number> {
	const [row] = await query(db.select({ revocations: crlState.revocations }).from(crlState).where(THE_ROW));
	if (!row) throw new Error("crl_state has lost its row");
	return row.revocations;
}

/**
 * Takes the next CRL number, and the turn to build until `until`.
 * @param published - number of the CRL that relying parties have: the next is greater even if D1 was
 * restored to an earlier day.
 * @returns the number and how many revocations were committed before it; null while somebody else builds.
 */
export async function beginCrl(
	db: Db,
	{ published, now, until }: { published: number; now: number; until: number },
): Promise<{ number: number; revocations: number } | null> {
	const [row] = await query(
		db
			.update(crlState)
			.set({ crlNumber: sql`max(crl_number, ${published}) + 1`, buildingUntil: until })
			.where(and(THE_ROW, lte(crlState.buildingUntil, now)))
			.returning({ number: crlState.crlNumber, revocations: crlState.revocations }),
	);
	return row ?? null;
}

/** Gives the turn back, if it is still that of `until`. */
export async function endCrl(db: Db, until: number): Promise<void> {
	await query(
		db
			.update(crlState)
			.set({ buildingUntil: 0 })
			.where(and(THE_ROW, eq(crlState.buildingUntil, until))),
	);
}

export interface RevokedRow {
	serial: string;
	revokedAt: number;
	revocationReason: RevocationReason;
}

/**
 * One page of what a CRL has to list, by serial.
 * @param after - the last serial of the page before; '' for the first.
 * @param until - certificates that ended before this, and were revoked before this, are no longer listed.
 * @param assumedValidity - milliseconds from revocation for a serial whose certificate never left the service.
 */
export function pageRevoked(
	db: Db,
	page: { after: string; until: number; assumedValidity: number; size: number },
): Promise<RevokedRow[]> {
	const { after, until, assumedValidity, size } = page;
	const end = sql`max(revoked_at, coalesce(not_after, revoked_at + ${assumedValidity}))`;
	return query(
		db
			.select({
				serial: certificates.serial,
				revokedAt: sql<number>`revoked_at`,
				revocationReason: sql<RevocationReason>`coalesce(revocation_reason, 'unspecified')`,
			})
			.from(certificates)
			.where(and(isNotNull(certificates.revokedAt), gt(certificates.serial, after), gte(end, until)))
			.orderBy(asc(certificates.serial))
			.limit(size),
	);
}
