import { DAY_MS, HOUR_MS } from "../../src/domain/durations.ts";
import { buildCrl, CrlEntries } from "../../src/x509/crl.ts";
import type { IssuingAuthority } from "../../src/x509/issuing-authority.ts";

/**
 * The authority's CRL of today, PEM, with these serials on it for a compromised key since an hour ago.
 *
 * @param serials - 32 upper-case hex digits each
 */
export async function publishCrl(authority: IssuingAuthority, serials: readonly string[]): Promise<string> {
	const now = Date.now();
	const entries = new CrlEntries();
	for (const serial of serials) entries.add(serial, now - HOUR_MS, "keyCompromise");
	const times = { thisUpdate: new Date(now - 60_000), nextUpdate: new Date(now + DAY_MS) };
	return crlPem(await buildCrl(authority, { number: 7, ...times, entries }));
}

/** PEM of a DER CRL, as files have it. */
export function crlPem(der: Uint8Array): string {
	const lines = Buffer.from(der)
		.toString("base64")
		.match(/.{1,64}/g)!;
	return `${["-----BEGIN X509 CRL-----", ...lines, "-----END X509 CRL-----"].join("\n")}\n`;
}
