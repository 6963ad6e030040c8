import { and, eq, inArray, lte, sql } from "drizzle-orm";
import type { RevocationReason } from "../domain/revocation-reason.ts";
import { batch, type DatabaseDb, type DirectoryDb, named, query } from "./query.ts";
import { crlState, publishedRevocations, revocationMark } from "./schema-certificates.ts";

/*
 * The directory numbers the CRLs and has what only published ones list. Every database has its own revoked rows, their mark, and the
 * greatest number of a CRL that was built of them.
 */

const ofKey = (keyId: string) => eq(crlState.keyId, keyId);

/** Etag of the published CRL of whose entries this database has its part; null before the first. A restore takes both back. */
export async function readEnteredEtag(db: DatabaseDb, keyId: string): Promise<string | null> {
	const [row] = await query(db.select({ etag: crlState.enteredEtag }).from(crlState).where(ofKey(keyId)));
	return row?.etag ?? null;
}

/**
 * Takes the authority's next CRL number, and the turn to build until `until`.
 * @param published - number of the CRL that relying parties have: the next is greater even if the directory was
 * restored to an earlier day.
 * @returns null while somebody else builds.
 */
export async function beginCrl(
	directory: DirectoryDb,
	turn: { keyId: string; published: number; now: number; until: number },
): Promise<number | null> {
	const { keyId, published, now, until } = turn;
	const [begun] = await query(
		directory
			.insert(crlState)
			.values({ keyId, crlNumber: published + 1, buildingUntil: until })
			.onConflictDoUpdate({
				target: crlState.keyId,
				set: { crlNumber: sql`max(crl_number, ${published}) + 1`, buildingUntil: until },
				setWhere: lte(crlState.buildingUntil, now),
			})
			.returning({ number: crlState.crlNumber }),
	);
	return begun?.number ?? null;
}

/** Gives the turn back, if it is still that of `until`. */
export async function endCrl(
	directory: DirectoryDb,
	{ keyId, until }: { keyId: string; until: number },
): Promise<void> {
	await query(
		directory
			.update(crlState)
			.set({ buildingUntil: 0 })
			.where(and(ofKey(keyId), eq(crlState.buildingUntil, until))),
	);
}

/** Notes in a database that every entry of the published CRL with this etag is entered, and that its number is taken. */
export async function noteEntered(
	db: DatabaseDb,
	{ keyId, number, etag }: { keyId: string; number: number; etag: string },
): Promise<void> {
	await query(
		db
			.insert(crlState)
			.values({ keyId, crlNumber: number, buildingUntil: 0, enteredEtag: etag })
			.onConflictDoUpdate({
				target: crlState.keyId,
				set: { crlNumber: sql`max(crl_number, ${number})`, enteredEtag: etag },
			}),
	);
}

export interface RevocationMark {
	/** Changes at every revocation in the database, of any authority. */
	mark: string;
	/** The greatest number of the authority's CRLs that the database knows of; 0 before the first. */
	number: number;
}

/** Reads a database's mark. @param building - number of the CRL that is built of the rows read from now on */
export async function readRevocationMark(
	db: DatabaseDb,
	keyId: string,
	building: number | null = null,
): Promise<RevocationMark> {
	const { marks, known } = await batch(db, {
		noted:
			building === null
				? null
				: db
						.insert(crlState)
						.values({ keyId, crlNumber: building, buildingUntil: 0 })
						.onConflictDoUpdate({
							target: crlState.keyId,
							set: { crlNumber: sql`max(crl_number, ${building})` },
						}),
		marks: db.select({ mark: revocationMark.mark }).from(revocationMark),
		known: db.select({ number: crlState.crlNumber }).from(crlState).where(ofKey(keyId)),
	});
	return { number: known[0]?.number ?? 0, mark: marks[0]!.mark };
}

export interface RevokedRow {
	serial: string;
	revokedAt: number;
	revocationReason: RevocationReason;
}

interface RevokedPage {
	keyId: string;
	/** The last serial of the page before; '' for the first. */
	after: string;
	size: number;
}

/**
 * Reads one page of a database's revoked certificates, by serial, of partners that have moved away too.
 * @param until - certificates that ended before this, and were revoked before this, are no longer listed
 * @param assumedValidity - milliseconds from revocation to the end that is assumed where it is not known
 */
export async function pageRevoked(
	db: DatabaseDb,
	page: RevokedPage & { until: number; assumedValidity: number },
): Promise<RevokedRow[]> {
	const { rows } = await batch(db, {
		rows: named<RevokedRow>(
			`SELECT serial, revoked_at AS revokedAt, coalesce(revocation_reason, 'unspecified') AS revocationReason
			FROM certificates
			WHERE revoked_at IS NOT NULL AND serial > :after AND issuer_key_id = :keyId
				AND max(revoked_at, coalesce(not_after, revoked_at + :assumedValidity)) >= :until
			ORDER BY serial LIMIT :size + 0`,
			{ ...page },
		),
	});
	return rows;
}

/** When the certificates with these serials end, those that the database has, and whether it has them as revoked. */
export async function findEnds(
	db: DatabaseDb,
	serials: readonly string[],
): Promise<{ serial: string; notAfter: number | null; isRevoked: number }[]> {
	const { rows } = await batch(db, {
		rows: named<{ serial: string; notAfter: number | null; isRevoked: number }>(
			`SELECT serial, not_after AS notAfter, revoked_at IS NOT NULL AS isRevoked FROM certificates
			WHERE serial IN (SELECT value FROM json_each(:serials))`,
			{ serials: JSON.stringify(serials) },
		),
	});
	return rows;
}

/** Reads one page of what only published CRLs of the authority had as revoked, by serial. */
export async function pagePublished(directory: DirectoryDb, page: RevokedPage): Promise<RevokedRow[]> {
	const { rows } = await batch(directory, {
		rows: named<RevokedRow>(
			`SELECT serial, revoked_at AS revokedAt, revocation_reason AS revocationReason FROM published_revocations
			WHERE key_id = :keyId AND serial > :after ORDER BY serial LIMIT :size + 0`,
			{ ...page },
		),
	});
	return rows;
}

/** Enters entries of a published CRL that no database has as revoked. */
export async function enterPublishedRevocations(
	directory: DirectoryDb,
	keyId: string,
	entries: readonly RevokedRow[],
): Promise<void> {
	await batch(directory, {
		entered: named(
			`INSERT INTO published_revocations (key_id, serial, revoked_at, revocation_reason)
			SELECT :keyId, value ->> 'serial', value ->> 'revokedAt', value ->> 'revocationReason' FROM json_each(:entries)
			WHERE true ON CONFLICT DO NOTHING`,
			{ keyId, entries: JSON.stringify(entries) },
		),
	});
}

/** Selects those of the serials that only published CRLs of the authority had as revoked. */
export function selectPublishedRevocations(
	directory: DirectoryDb,
	keyId: string,
	serials: readonly string[],
) {
	const { serial, revokedAt, revocationReason } = publishedRevocations;
	return directory
		.select({ serial, revokedAt, revocationReason })
		.from(publishedRevocations)
		.where(and(eq(publishedRevocations.keyId, keyId), inArray(serial, [...serials])));
}
