import { and, eq, isNull } from "drizzle-orm";
import { DEFAULT_REVOCATION_REASON, type RevocationReason } from "../domain/revocation-reason.ts";
import type { Db, Statement } from "./query.ts";
import { certificates, holders } from "./schema.ts";

/** Enters an issued certificate; the leaf (it names the holder) is sealed. Times in epoch milliseconds. */
export function enterCertificate(db: Db, row: typeof certificates.$inferInsert): Statement {
	return db.insert(certificates).values(row);
}

/** Enters a serial that a step reserved and never handed out: revoked, since it may have been signed. */
export function enterAbandonedSerial(
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

/** The PIN has done its work once the certificate is issued. */
export function forgetPin(db: Db, partnerId: string, code: string): Statement {
	return db
		.update(holders)
		.set({ pinSalt: null, pinHash: null })
		.where(and(eq(holders.code, code), eq(holders.partnerId, partnerId)));
}
