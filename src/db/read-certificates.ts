import { and, eq, inArray } from "drizzle-orm";
import type { CertificateFacts } from "../domain/decide-revocation.ts";
import { ask, type Register } from "./register.ts";
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
	register: Register,
	{ partnerId, code, serial }: { partnerId: string; code: string; serial: string },
): Promise<CertificateFacts | null> {
	const itsCode = and(eq(certificates.partnerId, partnerId), eq(certificates.code, code));
	const [facts] = await ask(
		register
			.select(FACT_COLUMNS)
			.from(certificates)
			.where(and(eq(certificates.serial, serial), itsCode)),
	);
	return facts ?? null;
}

/** A certificate's facts by its serial alone, for ops, who see every partner. */
export async function findCertificate(register: Register, serial: string): Promise<CertificateFacts | null> {
	const [facts] = await findCertificates(register, [serial]);
	return facts ?? null;
}

/** Those of the serials that the register knows, for anyone who asks whether they are revoked. */
export function findCertificates(
	register: Register,
	serials: readonly string[],
): Promise<CertificateFacts[]> {
	return ask(
		register
			.select(FACT_COLUMNS)
			.from(certificates)
			.where(inArray(certificates.serial, [...serials])),
	);
}
