import { and, eq, inArray } from "drizzle-orm";
import type { CertificateFacts } from "../domain/decide-revocation.ts";
import { ask, type Db } from "./query.ts";
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
	const [facts] = await ask(
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

/** Those of the serials that the register knows, for anyone who asks whether they are revoked. */
export function findCertificates(db: Db, serials: readonly string[]): Promise<CertificateFacts[]> {
	return ask(
		db
			.select(FACT_COLUMNS)
			.from(certificates)
			.where(inArray(certificates.serial, [...serials])),
	);
}
