import { and, eq, inArray, isNull } from "drizzle-orm";
import type { CertificateFacts } from "../domain/decide-revocation.ts";
import { DEFAULT_REVOCATION_REASON, type RevocationReason } from "../domain/revocation-reason.ts";
import { type Db, query, type Statement } from "./query.ts";
import { certificates } from "./schema.ts";

/** Everything but the leaf, which names the holder. */
const FACT_COLUMNS = {
	serial: certificates.serial,
	partnerId: certificates.partnerId,
	code: certificates.code,
	issuedAt: certificates.issuedAt,
	notBefore: certificates.notBefore,
	notAfter: certificates.notAfter,
	revokedAt: certificates.revokedAt,
	revocationReason: certificates.revocationReason,
} satisfies Record<keyof CertificateFacts, unknown>;

/** One certificate of one partner's code. */
export async function findCertificateOfCode(
	db: Db,
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

/** A certificate's facts by its serial alone, for ops, who see every partner. */
export async function findCertificate(db: Db, serial: string): Promise<CertificateFacts | null> {
	const [facts] = await findCertificates(db, [serial]);
	return facts ?? null;
}

/** The certificates with these serials, of every partner: for OCSP. */
export function findCertificates(db: Db, serials: readonly string[]): Promise<CertificateFacts[]> {
	return query(
		db
			.select(FACT_COLUMNS)
			.from(certificates)
			.where(inArray(certificates.serial, [...serials])),
	);
}

/** Enters an issued certificate; the leaf (it names the holder) is sealed. Times in epoch milliseconds. */
export function enterCertificate(db: Db, row: typeof certificates.$inferInsert): Statement {
	return db.insert(certificates).values(row);
}

/** Enters a serial that a step reserved and never handed out: revoked, since it may have been signed. */
export function enterUnissuedSerial(
	db: Db,
	row: { serial: string; partnerId: string; code: string; now: number },
): Statement {
	const { serial, partnerId, code, now } = row;
	return db
		.insert(certificates)
		.values({ serial, partnerId, code, revokedAt: now, revocationReason: DEFAULT_REVOCATION_REASON });
}

/** Revokes a certificate once; a second time changes nothing. */
export function revokeCertificate(
	db: Db,
	revocation: { serial: string; partnerId: string; reason: RevocationReason; now: number },
): Statement {
	const { serial, partnerId, reason, now } = revocation;
	return db
		.update(certificates)
		.set({ revokedAt: now, revocationReason: reason })
		.where(
			and(
				eq(certificates.serial, serial),
				eq(certificates.partnerId, partnerId),
				isNull(certificates.revokedAt),
			),
		);
}
