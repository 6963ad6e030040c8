import { vi } from "vitest";
import { createPartner, inDatabase } from "./partner.ts";

/* A holder with a certificate to revoke, and the e-mailed code that no test reads. */

export const HOLDER = { dni: "11111111-1", email: "juana@example.cl", pin: "4821" };

/** @returns the serial of a certificate of HOLDER. */
export async function issue(): Promise<string> {
	const partner = await createPartner({ key_algorithm: "ec-p256" });
	const pCode = await partner.buyCode();
	const holder = { ...HOLDER, pCode, referenceId: "order-1", serialNumber: "111111111" };
	await partner.call("POST", "/api/partners/v1/certificate_request", holder);
	const claim = { p_code: pCode, dni: HOLDER.dni, pin: HOLDER.pin };
	return (await partner.call("POST", "/api/partners/v1/certificate_claim", claim)).body.data.serialNumber;
}

/** Proves the visit by the e-mailed code, once it has found certificates. */
export function proveVisit(): Promise<void> {
	const prove = "UPDATE holder_visits SET proved_at = ? WHERE found IS NOT NULL AND proved_at IS NULL";
	return vi.waitFor(() => inDatabase(prove, Date.now()));
}
