import { and, eq, isNull } from "drizzle-orm";
import { DEFAULT_REVOCATION_REASON, type RevocationReason } from "../domain/revocation-reason.ts";
import type { Register, Statement } from "./register.ts";
import { certificates, holders } from "./schema.ts";

/** Enters an issued certificate; the leaf (it names the holder) is sealed. Times in epoch milliseconds. */
export function enterCertificate(register: Register, row: typeof certificates.$inferInsert): Statement {
	return register.insert(certificates).values(row);
}

/** Enters a serial that a step reserved and never handed out: revoked, since it may have been signed. */
export function enterAbandonedSerial(
	register: Register,
	row: { serial: string; partnerId: string; code: string; now: number },
): Statement {
	const { serial, partnerId, code, now } = row;
	return register
		.insert(certificates)
		.values({ serial, partnerId, code, revokedAt: now, revocationReason: DEFAULT_REVOCATION_REASON });
}

/** Revokes a certificate once; a second time changes nothing. */
export function revokeCertificate(
	register: Register,
	revocation: { serial: string; partnerId: string; reason: RevocationReason; now: number },
): Statement {
	const { serial, partnerId, reason, now } = revocation;
	return register
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
export function forgetPin(register: Register, partnerId: string, code: string): Statement {
	return register
		.update(holders)
		.set({ pinSalt: null, pinHash: null })
		.where(and(eq(holders.code, code), eq(holders.partnerId, partnerId)));
}
