import { DAY_MS } from "../../src/domain/durations.ts";
import { issueCertificate } from "../../src/x509/issue-certificate.ts";
import { type IssuingAuthority, loadIssuingAuthority } from "../../src/x509/issuing-authority.ts";
import { createSerial, serialToHex } from "../../src/x509/serial.ts";
import { createTestSettings, issueInput } from "../unit/x509/test-authority.ts";
import { encodePem } from "./pfx-openers.ts";

/* Programs judge by the machine's clock, so what they are given is of today. */

/** An authority made yesterday, with its settings. */
export async function createAuthorityToday(keyType: "rsa-3072" | "p-384" = "rsa-3072") {
	const settings = await createTestSettings(keyType, new Date(Date.now() - DAY_MS));
	const authority = await loadIssuingAuthority(settings);
	return {
		settings,
		authority,
		rootPem: pemFile(authority.root),
		issuingPem: pemFile(authority.certificate),
	};
}

/** A certificate valid from five minutes ago for a year. `serial` is hex. */
export async function issueToday(
	authority: IssuingAuthority,
	differences: Parameters<typeof issueInput>[0] = {},
) {
	const serial = createSerial(crypto.getRandomValues(new Uint8Array(16)));
	const result = await issueCertificate(
		authority,
		issueInput({
			serial,
			notBefore: new Date(Date.now() - 300_000),
			notAfter: new Date(Date.now() + 365 * DAY_MS),
			...differences,
		}),
	);
	if (!result.ok) throw new Error(result.failures.join("; "));
	const { leaf, pfx } = result;
	return { leaf, pfx, leafPem: pemFile(leaf), serial: serialToHex(serial) };
}

/** PEM as files have it, with a newline at the end. */
export function pemFile(der: Uint8Array): string {
	return `${encodePem(der)}\n`;
}
