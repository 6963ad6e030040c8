import { batch, named, type PartnerDb } from "./query.ts";

/** An issued certificate of a code with what its receipt says; the holder's columns are null once it was erased. */
export interface ReceiptRow {
	code: string;
	serial: string;
	validFrom: number;
	validTo: number;
	revokedAt: number | null;
	partner: string;
	rutSealed: string | null;
	fullNameSealed: string | null;
}

/** Finds the certificate that a partner's code has issued. @throws {Unavailable} */
export async function findReceiptRow(
	db: PartnerDb,
	{ partnerId, code }: { partnerId: string; code: string },
): Promise<ReceiptRow | null> {
	const { found } = await batch(db, {
		found: named<ReceiptRow>(
			`SELECT codes.code AS code, serial, coalesce(not_before, certificates.issued_at) AS validFrom,
					not_after AS validTo, revoked_at AS revokedAt, partners.name AS partner,
					rut_sealed AS rutSealed, full_name_sealed AS fullNameSealed
				FROM purchase_codes AS codes
				CROSS JOIN certificates
					ON certificates.serial = codes.certificate_serial AND certificates.partner_id = codes.partner_id
				CROSS JOIN partners ON partners.id = codes.partner_id
				LEFT JOIN holders ON holders.code = codes.code AND holders.partner_id = codes.partner_id
				WHERE codes.code = :code AND codes.partner_id = :partnerId AND certificates.issued_at IS NOT NULL`,
			{ code, partnerId },
		),
	});
	return found[0] ?? null;
}
