import { vi } from "vitest";
import type { KeptMail } from "../../src/sandbox/mail.ts";
import { createPartner, place } from "./partner.ts";

/* A holder with a certificate to revoke, and its mailbox. */

export const HOLDER = { dni: "11111111-1", email: "juana@example.cl", pin: "4821" };

/** Makes a partner, and a certificate of HOLDER. @param email - one of its own has no code of another test's */
export async function sell(email: string = HOLDER.email) {
	const partner = await createPartner({ key_algorithm: "ec-p256" });
	const pCode = await partner.buyCode();
	const holder = { ...HOLDER, email, pCode, referenceId: "order-1", serialNumber: "111111111" };
	await partner.call("POST", "/api/partners/v1/certificate_request", holder);
	const claim = { p_code: pCode, dni: HOLDER.dni, pin: HOLDER.pin };
	const { body } = await partner.call("POST", "/api/partners/v1/certificate_claim", claim);
	return { id: partner.id, pCode, serial: body.data.serialNumber as string };
}

/** @returns the serial of such a certificate */
export async function issue(email?: string): Promise<string> {
	return (await sell(email)).serial;
}

/** The address of the button in the last e-mail with a code: it ends in the code. */
export function buttonOf(email: string): Promise<string> {
	return vi.waitFor(async () => {
		const mails = (await (await fetch(`${place().url}/sandbox/mail.json`)).json()) as KeptMail[];
		const { text } = mails.find((mail) => mail.to === email && /\/revocar\/abrir/.test(mail.text))!;
		return /http\S+\/revocar\/abrir\S+#\d{12}/.exec(text)![0];
	});
}
