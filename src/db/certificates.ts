import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { CertificateFacts } from "../domain/decide-revocation.ts";
import { DEFAULT_REVOCATION_REASON, type RevocationReason } from "../domain/revocation-reason.ts";
import { type DatabaseDb, type PartnerDb, query, type Statement } from "./query.ts";
import { purchaseCodes } from "./schema.ts";
import { certificates, leaves } from "./schema-certificates.ts";

/** Everything but the leaf, which names the holder. */
const FACT_COLUMNS = {
	serial: certificates.serial,
	issuerKeyId: certificates.issuerKeyId,
	partnerId: certificates.partnerId,
	code: certificates.code,
	issuedAt: certificates.issuedAt,
	notBefore: certificates.notBefore,
	notAfter: certificates.notAfter,
	revokedAt: certificates.revokedAt,
	revocationReason: certificates.revocationReason,
	renews: certificates.renews,
	signerEntry: certificates.signerEntry,
	signerHead: certificates.signerHead,
	signerHeadSignature: certificates.signerHeadSignature,
} satisfies Record<keyof CertificateFacts, unknown>;

/** One certificate of one partner's code. */
export async function findCertificateOfCode(
	db: PartnerDb,
	{ partnerId, code, serial }: { partnerId: string; code: string; serial: string },
): Promise<CertificateFacts | null> {
	const itsCode = and(eq(certificates.partnerId, partnerId), eq(certificates.code, code));
	const [facts] = await query(
		db
			.select(FACT_COLUMNS)
			.from(certificates)
			.where(and(eq(certificates.serial, serial), itsCode)),
	);
	return facts ?? null;
}

/** Every certificate of one partner's code. */
export function selectCertificatesOfCode(
	db: PartnerDb,
	{ partnerId, code }: { partnerId: string; code: string },
) {
	return db
		.select(FACT_COLUMNS)
		.from(certificates)
		.where(and(eq(certificates.partnerId, partnerId), eq(certificates.code, code)));
}

/** A row if it is a certificate that the partner issued to the RUT. */
export function selectRenewable(
	db: PartnerDb,
	{ partnerId, serial, rutIndex }: { partnerId: string; serial: string; rutIndex: string },
) {
	const { code, issuedAt, serial: itsSerial, partnerId: itsPartner } = certificates;
	return db
		.select({ renewable: sql<number>`1`.as("renewable") })
		.from(certificates)
		.innerJoin(purchaseCodes, and(eq(purchaseCodes.code, code), eq(purchaseCodes.partnerId, itsPartner)))
		.where(
			and(
				eq(itsSerial, serial),
				eq(itsPartner, partnerId),
				isNotNull(issuedAt),
				eq(purchaseCodes.boundRut, rutIndex),
			),
		);
}

/** A certificate's facts by its serial alone, for ops, who see every partner. */
export async function findCertificate(db: DatabaseDb, serial: string): Promise<CertificateFacts | null> {
	const [facts] = await query(
		db.select(FACT_COLUMNS).from(certificates).where(eq(certificates.serial, serial)),
	);
	return facts ?? null;
}

/** Facts of a certificate that OCSP states. */
export type StatusFacts = Pick<CertificateFacts, "serial" | "issuedAt" | "revokedAt" | "revocationReason">;

/** Finds what OCSP states of one authority's certificates with these serials, of every partner of a database. */
export async function findStatusFacts(
	db: DatabaseDb,
	keyId: string,
	serials: readonly string[],
): Promise<StatusFacts[]> {
	const { serial, issuedAt, revokedAt, revocationReason } = FACT_COLUMNS;
	return query(
		db
			.select({ serial, issuedAt, revokedAt, revocationReason })
			.from(certificates)
			.where(and(inArray(certificates.serial, [...serials]), eq(certificates.issuerKeyId, keyId))),
	);
}

/** Enters an issued certificate without its leaf. Times in epoch milliseconds. */
export function enterCertificate(db: PartnerDb, row: CertificateRow): Statement {
	return db.insert(certificates).values(row);
}

/**
 * Enters a certificate with its leaf, sealed, because it names the holder. The statements stay together: the second one takes the
 * id that the first one's row was given.
 */
export function enterWithLeaf(db: PartnerDb, row: CertificateRow, leaf: Uint8Array): Statement[] {
	return [
		db.insert(leaves).values({ sealed: leaf }),
		db.insert(certificates).values({ ...row, leafId: sql`last_insert_rowid()` }),
	];
}

type CertificateRow = Omit<typeof certificates.$inferInsert, "leafId">;

/** Where a certificate's leaf is sealed for: the serial, since the row's id is not known before the commit. */
export function leafPlace(serial: string) {
	return { table: "leaves", row: serial, column: "sealed" };
}

/** Enters the serial, if any, that a step reserved and never handed out: revoked, since it may have been signed. */
export function enterUnissuedSerial(
	db: PartnerDb,
	reserved: { serial: string | null; issuerKeyId: string | null; partnerId: string; code: string },
	at: number,
): Statement[] {
	const { serial, issuerKeyId, partnerId, code } = reserved;
	if (serial === null || issuerKeyId === null) return [];
	const revocation = { revokedAt: at, revocationReason: DEFAULT_REVOCATION_REASON };
	return [db.insert(certificates).values({ serial, issuerKeyId, partnerId, code, ...revocation })];
}

/** Revokes a certificate once; a second time changes nothing. */
export function revokeCertificate(
	db: PartnerDb,
	revocation: { serial: string; partnerId: string; reason: RevocationReason; at: number },
): Statement {
	const { serial, partnerId, reason, at } = revocation;
	return db
		.update(certificates)
		.set({ revokedAt: at, revocationReason: reason })
		.where(
			and(
				eq(certificates.serial, serial),
				eq(certificates.partnerId, partnerId),
				isNull(certificates.revokedAt),
			),
		);
}
