import { openNameAndRut } from "../db/holders.ts";
import { findReceiptRow } from "../db/receipts.ts";
import type { Receipt } from "../domain/receipt.ts";
import { maskRut } from "../domain/rut.ts";
import type { PartnerCaller } from "./caller.ts";

/** Finds the receipt of the certificate that a code of the caller's partner has issued; null for none. */
export async function findReceipt(
	{ platform, db, partnerId }: PartnerCaller,
	code: string,
): Promise<Receipt | null> {
	const row = await findReceiptRow(db, { partnerId, code });
	if (row === null) return null;
	const { serial, validFrom, validTo, revokedAt, partner: seller, rutSealed, fullNameSealed } = row;
	const sealed = rutSealed !== null && fullNameSealed !== null ? { rutSealed, fullNameSealed } : null;
	const holder = sealed && (await openNameAndRut(platform.sealer, row.code, sealed));
	return {
		holder: holder && { name: holder.fullName, rut: maskRut(holder.rut) },
		...{ seller, serialNumber: serial, validFrom, validTo, revokedAt },
	};
}
