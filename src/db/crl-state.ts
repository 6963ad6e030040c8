import { and, asc, eq, gt, gte, isNotNull, lte, sql } from "drizzle-orm";
import type { RevocationReason } from "../domain/revocation-reason.ts";
import { batch, type Db, query } from "./query.ts";
import { certificates, crlState } from "./schema-certificates.ts";

const ofKey = (keyId: string) => eq(crlState.keyId, keyId);

/** How many certificates were ever revoked, of any authority; null before the first CRL of this one. */
export async function countRevocations(db: Db, keyId: string): Promise<number | null> {
	const [row] = await query(
		db.select({ revocations: crlState.revocations }).from(crlState).where(ofKey(keyId)),
	);
	return row?.revocations ?? null;
}

/**
 * Takes the authority's next CRL number, and the turn to build until `until`. Its first time enters its row.
 * @param published - number of the CRL that relying parties have: the next is greater even if D1 was
 * restored to an earlier day.
 * @returns the number and how many revocations were committed before it; null while somebody else builds.
 */
export async function beginCrl(
	db: Db,
	turn: { keyId: string; published: number; now: number; until: number },
): Promise<{ number: number; revocations: number } | null> {
	const { keyId, published, now, until } = turn;
	const { begun } = await batch(db, {
		ownRow: db.insert(crlState).select(
			db
				.select({
					id: sql<number>`NULL`.as("id"),
					keyId: sql<string>`${keyId}`.as("key_id"),
					crlNumber: sql<number>`0`.as("crl_number"),
					revocations: crlState.revocations,
					buildingUntil: sql<number>`0`.as("building_until"),
				})
				.from(crlState)
				.where(and(eq(crlState.id, 1), sql`NOT EXISTS (SELECT 1 FROM crl_state WHERE key_id = ${keyId})`)),
		),
		begun: db
			.update(crlState)
			.set({ crlNumber: sql`max(crl_number, ${published}) + 1`, buildingUntil: until })
			.where(and(ofKey(keyId), lte(crlState.buildingUntil, now)))
			.returning({ number: crlState.crlNumber, revocations: crlState.revocations }),
	});
	return begun[0] ?? null;
}

/** Gives the turn back, if it is still that of `until`. */
export async function endCrl(db: Db, keyId: string, until: number): Promise<void> {
	await query(
		db
			.update(crlState)
			.set({ buildingUntil: 0 })
			.where(and(ofKey(keyId), eq(crlState.buildingUntil, until))),
	);
}

export interface RevokedRow {
	serial: string;
	revokedAt: number;
	revocationReason: RevocationReason;
}

/**
 * One page of what an authority's CRL has to list, by serial.
 * @param after - the last serial of the page before; '' for the first.
 * @param until - certificates that ended before this, and were revoked before this, are no longer listed.
 * @param assumedValidity - milliseconds from revocation for a serial whose certificate never left the service.
 */
export function pageRevoked(
	db: Db,
	page: { keyId: string; after: string; until: number; assumedValidity: number; size: number },
): Promise<RevokedRow[]> {
	const { keyId, after, until, assumedValidity, size } = page;
	const end = sql`max(revoked_at, coalesce(not_after, revoked_at + ${assumedValidity}))`;
	return query(
		db
			.select({
				serial: certificates.serial,
				revokedAt: sql<number>`revoked_at`,
				revocationReason: sql<RevocationReason>`coalesce(revocation_reason, 'unspecified')`,
			})
			.from(certificates)
			.where(
				and(
					isNotNull(certificates.revokedAt),
					gt(certificates.serial, after),
					gte(end, until),
					eq(certificates.issuerKeyId, keyId),
				),
			)
			.orderBy(asc(certificates.serial))
			.limit(size),
	);
}
