import { DAY_MS } from "../src/domain/durations.ts";
import "reflect-metadata";
import { parseArgs } from "node:util";
import * as x509 from "@peculiar/x509";
import { createSerial, serialToHex } from "../src/x509/serial.ts";
import { readMember } from "./read-member.ts";

/**
 * Creates an OCSP responder's key and its certificate under an issuing authority (RFC 6960 §4.2.2.2).
 *
 *   npm run ocsp-responder -- --authority dir
 *
 * `dir` is what create-authority.ts made: it reads issuing.key.pem and issuing.pem, and prints the two secrets.
 * Clients do not check whether a responder is revoked (id-pkix-ocsp-nocheck), so its certificate lives for a year only: run
 * this again before it ends.
 */

export interface ResponderRequest {
	/** Base64 PKCS#8 and base64 DER. */
	issuing: { key: string; certificate: string };
	now: Date;
}

const VALIDITY_DAYS = 366;
/** RSA as large as a responder that signs every answer should have; P-384 as the authority's. */
const rsa = {
	name: "RSASSA-PKCS1-v1_5",
	hash: "SHA-256",
	modulusLength: 2048,
	publicExponent: new Uint8Array([1, 0, 1]),
};
const p384 = { name: "ECDSA", namedCurve: "P-384", hash: "SHA-384" };
const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9";
const OCSP_NOCHECK = "1.3.6.1.5.5.7.48.1.5";
const DER_NULL = new Uint8Array([0x05, 0x00]);

/** @returns base64 one-liners for the secrets OCSP_KEY and OCSP_CERTIFICATE; valid from `now` for a year. */
export async function createOcspResponder({ issuing, now }: ResponderRequest) {
	const issuer = new x509.X509Certificate(issuing.certificate);
	const algorithm = issuer.publicKey.algorithm.name === "ECDSA" ? p384 : rsa;
	const pkcs8 = Buffer.from(issuing.key, "base64");
	const signingKey = await crypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]);
	const keys = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
	const end = new Date(now.getTime() + VALIDITY_DAYS * DAY_MS);
	const certificate = await x509.X509CertificateGenerator.create({
		serialNumber: createSerialHex(),
		subject: nameResponder(issuer.subjectName),
		issuer: issuer.subjectName,
		publicKey: keys.publicKey,
		signingKey,
		notBefore: now,
		notAfter: end < issuer.notAfter ? end : issuer.notAfter,
		signingAlgorithm: algorithm,
		extensions: [
			new x509.BasicConstraintsExtension(false, undefined, true),
			new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
			new x509.ExtendedKeyUsageExtension([OCSP_SIGNING]),
			new x509.Extension(OCSP_NOCHECK, false, DER_NULL),
			await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
			await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
		],
	});
	const exported = (await crypto.subtle.exportKey("pkcs8", keys.privateKey)) as ArrayBuffer;
	return {
		key: Buffer.from(exported).toString("base64"),
		certificate: Buffer.from(certificate.rawData).toString("base64"),
	};
}

/** The authority's name with another common name: `… Issuing CA` becomes `… OCSP`. */
function nameResponder(issuer: x509.Name): x509.Name {
	return new x509.Name(
		issuer.toJSON().map((attributes) =>
			Object.fromEntries(
				Object.entries(attributes).map(([type, values]) => [
					type,
					values.map((value) => {
						const text = typeof value === "string" ? value : String(Object.values(value)[0]);
						return { printableString: type === "CN" ? `${text.replace(/ Issuing CA$/, "")} OCSP` : text };
					}),
				]),
			),
		),
	);
}

/** A serial by the rule of the service's own leaves. */
export function createSerialHex(): string {
	return serialToHex(createSerial(crypto.getRandomValues(new Uint8Array(16))));
}

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { authority: { type: "string" } } });
	if (!values.authority) throw new RangeError("usage: create-ocsp-responder.ts --authority <dir>");
	const issuing = await readMember(values.authority, "issuing");
	const responder = await createOcspResponder({ issuing, now: new Date() });
	console.log(`OCSP_KEY=${responder.key}\nOCSP_CERTIFICATE=${responder.certificate}`);
}

if (import.meta.main) await main();
