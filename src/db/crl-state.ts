import { and, eq, inArray, lte, sql } from "drizzle-orm";
import type { RevocationReason } from "../domain/revocation-reason.ts";
import { batch, type DatabaseDb, type DirectoryDb, named, query } from "./query.ts";
import { crlState, publishedRevocations, revocationMark } from "./schema-certificates.ts";

const ofKey = (keyId: string) => eq(crlState.keyId, keyId);

export interface CrlState {
	/** The highest number reserved; 0 before the first. */
	number: number;
	/** Etag of the published CRL whose entries D1 has; null before the first. */
	enteredEtag: string | null;
}

/** Reads the mark of a database: it changes at every revocation, of any authority. */
export async function readMark(db: DatabaseDb): Promise<string> {
	const [row] = await query(db.select({ mark: revocationMark.mark }).from(revocationMark));
	return row!.mark;
}

/** Reads what is known of an authority's CRLs. */
export async function readCrlState(db: DirectoryDb, keyId: string): Promise<CrlState> {
	const { number, enteredEtag } = { number: crlState.crlNumber, enteredEtag: crlState.enteredEtag };
	const [known] = await query(db.select({ number, enteredEtag }).from(crlState).where(ofKey(keyId)));
	return { number: 0, enteredEtag: null, ...known };
}

/**
 * Takes the authority's next CRL number, and the turn to build until `until`.
 * @param published - number of the CRL that relying parties have: the next is greater even if D1 was
 * restored to an earlier day.
 * @returns the number; null while somebody else builds.
 */
export async function beginCrl(
	db: DirectoryDb,
	turn: { keyId: string; published: number; now: number; until: number },
): Promise<number | null> {
	const { keyId, published, now, until } = turn;
	const [begun] = await query(
		db
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

/** Gives the turn back, if it is still that of `until`. @param etag - of what was published, all from D1; or null */
export async function endCrl(
	db: DirectoryDb,
	{ keyId, until, etag }: { keyId: string; until: number; etag: string | null },
): Promise<void> {
	await query(
		db
			.update(crlState)
			.set({ buildingUntil: 0, ...(etag && { enteredEtag: etag }) })
			.where(and(ofKey(keyId), eq(crlState.buildingUntil, until))),
	);
}

export interface RevokedRow {
	serial: string;
	revokedAt: number;
	revocationReason: RevocationReason;
}

interface Listing {
	keyId: string;
	/** Certificates that ended before this, and were revoked before this, are no longer listed. */
	until: number;
	/** Milliseconds from revocation to the end that is assumed where it is not known. */
	assumedValidity: number;
}

/** When an entry's certificate ends, but not before its revocation. */
const END = "max(one.revoked_at, coalesce(certificates.not_after, one.revoked_at + :assumedValidity))";

/**
 * One page of what an authority's CRL has to list, by serial.
 * @param after - the last serial of the page before; '' for the first.
 */
export async function pageRevoked(
	db: DatabaseDb,
	page: Listing & { after: string; size: number },
): Promise<RevokedRow[]> {
	const { rows } = await batch(db, {
		rows: named<RevokedRow>(
			`SELECT serial, revoked_at AS revokedAt, coalesce(revocation_reason, 'unspecified') AS revocationReason
			FROM certificates
			WHERE revoked_at IS NOT NULL AND serial > :after AND issuer_key_id = :keyId
				AND max(revoked_at, coalesce(not_after, revoked_at + :assumedValidity)) >= :until
				AND NOT EXISTS (SELECT 1 FROM published_revocations AS other
					WHERE other.key_id = :keyId AND other.serial = certificates.serial)
			UNION ALL
			SELECT one.serial, one.revoked_at, one.revocation_reason
			FROM published_revocations AS one LEFT JOIN certificates ON certificates.serial = one.serial
			WHERE one.key_id = :keyId AND one.serial > :after AND ${END} >= :until
			ORDER BY serial LIMIT :size + 0`,
			{ ...page },
		),
	});
	return rows;
}

/**
 * Enters what of these entries of a published CRL D1 does not have as revoked, unless the certificate has ended.
 * @returns those whose certificates have not ended: D1 may have learnt of some since its rows were read.
 */
export async function enterPublishedRevocations(
	db: DatabaseDb,
	{ entries, ...listing }: Listing & { entries: readonly RevokedRow[] },
): Promise<RevokedRow[]> {
	const values = { ...listing, entries: JSON.stringify(entries) };
	const unended = `FROM (SELECT value ->> 'serial' AS serial, value ->> 'revokedAt' AS revoked_at,
			value ->> 'revocationReason' AS revocation_reason FROM json_each(:entries)) AS one
			LEFT JOIN certificates ON certificates.serial = one.serial
		WHERE ${END} >= :until`;
	const { listed } = await batch(db, {
		entered: named(
			`INSERT INTO published_revocations (key_id, serial, revoked_at, revocation_reason)
			SELECT :keyId, one.serial, one.revoked_at, one.revocation_reason
			${unended} AND certificates.revoked_at IS NULL
			ON CONFLICT DO NOTHING`,
			values,
		),
		listed: named<RevokedRow>(
			`SELECT one.serial, one.revoked_at AS revokedAt, one.revocation_reason AS revocationReason ${unended}`,
			values,
		),
	});
	return listed;
}

/** Finds those of the serials whose certificates are in this database. */
export async function findSerials(db: DatabaseDb, serials: readonly string[]): Promise<Set<string>> {
	const { rows } = await batch(db, {
		rows: named<{ serial: string }>(
			"SELECT serial FROM certificates WHERE serial IN (SELECT value FROM json_each(:serials))",
			{ serials: JSON.stringify(serials) },
		),
	});
	return new Set(rows.map(({ serial }) => serial));
}

/** Notes that D1 has every entry of the published CRL with this etag, and that its number is taken. */
export async function noteEntered(
	db: DirectoryDb,
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

/** Selects those of the serials that only published CRLs of the authority had as revoked. */
export function selectPublishedRevocations(db: DatabaseDb, keyId: string, serials: readonly string[]) {
	const { serial, revokedAt, revocationReason } = publishedRevocations;
	return db
		.select({ serial, revokedAt, revocationReason })
		.from(publishedRevocations)
		.where(and(eq(publishedRevocations.keyId, keyId), inArray(serial, [...serials])));
}
