import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { type AuthorityKey, algorithmOf, keyOfFile } from "./authority-key.ts";

export interface CrlSigner {
	key: string | AuthorityKey;
	certificate: string;
}

export interface CrlRequest {
	/** Base64 PKCS#8 or a token's key, and base64 DER. */
	signer: CrlSigner;
	/** DER of the CRL that this one replaces, whose entries it keeps; null: it is the first. */
	previous: Uint8Array | null;
	/** Revoked certificates at present; serials in hex. */
	revoked: readonly { serialNumber: string; reason: x509.X509CrlReason }[];
	now: Date;
	nextUpdate: Date;
}

const CRL_NUMBER = "2.5.29.20";

/** Signs a CRL with an authority's own key, as a ceremony does. @returns DER */
export async function signCrl({ signer, previous, revoked, now, nextUpdate }: CrlRequest): Promise<Buffer> {
	const issuer = new x509.X509Certificate(signer.certificate);
	const key = typeof signer.key === "string" ? await keyOfFile(signer.key, issuer) : signer.key;
	const before = previous && new x509.X509Crl(previous as BufferSource);
	if (before && !(await before.verify({ publicKey: issuer })))
		throw new RangeError("the CRL before is not of this authority");
	const kept = (before?.entries ?? []).map(({ serialNumber, revocationDate, reason }) => ({
		serialNumber,
		revocationDate,
		...(reason !== undefined && { reason }),
	}));
	const added = revoked
		.filter(({ serialNumber }) => kept.every((entry) => entry.serialNumber !== serialNumber))
		.map((entry) => ({ ...entry, revocationDate: now }));
	const crl = await x509.X509CrlGenerator.create({
		issuer: issuer.subjectName,
		thisUpdate: now,
		nextUpdate,
		entries: [...kept, ...added],
		extensions: [
			await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
			new x509.Extension(CRL_NUMBER, false, encodeNumber(before ? readCrlNumber(before) + 1 : 1)),
		],
		signingAlgorithm: algorithmOf(key.publicKey),
		signingKey: key.signingKey,
	});
	return Buffer.from(await key.finish(crl.rawData));
}

/** RFC 5280 §5.2.3. @throws where the CRL has none. */
export function readCrlNumber(crl: x509.X509Crl): number {
	const value = crl.getExtension(CRL_NUMBER)?.value;
	if (!value) throw new RangeError("the CRL has no number");
	return Number.parseInt(Buffer.from(value).toString("hex").slice(4), 16);
}

/** DER INTEGER. */
function encodeNumber(number: number): Uint8Array<ArrayBuffer> {
	const digits = number.toString(16);
	const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
	const contents = bytes[0]! < 0x80 ? bytes : Buffer.concat([Buffer.alloc(1), bytes]);
	return Uint8Array.from([0x02, contents.length, ...contents]);
}
