import "reflect-metadata";
import { AsnParser } from "@peculiar/asn1-schema";
import { Certificate } from "@peculiar/asn1-x509";
import * as x509 from "@peculiar/x509";

export const p384 = { name: "ECDSA", namedCurve: "P-384", hash: "SHA-384" };

export async function createP384Keys(): Promise<CryptoKeyPair> {
	return (await crypto.subtle.generateKey(p384, true, ["sign", "verify"])) as CryptoKeyPair;
}

/** The key as it stands in a setting: base64 PKCS#8. */
export async function exportKey({ privateKey }: CryptoKeyPair): Promise<string> {
	return new Uint8Array((await crypto.subtle.exportKey("pkcs8", privateKey)) as ArrayBuffer).toBase64();
}

/** A certificate whose every part the test decides. Signed by itself when no signer is given. */
export async function makeCertificate(parts: {
	keys: CryptoKeyPair;
	signedBy?: CryptoKeyPair;
	subject?: x509.Name | string;
	issuer?: string;
	notBefore?: Date;
	notAfter?: Date;
	extensions?: x509.Extension[];
}): Promise<Certificate> {
	const { keys, signedBy = keys, subject = "CN=TEST Root CA", issuer = "CN=TEST Root CA", ...rest } = parts;
	const certificate = await x509.X509CertificateGenerator.create({
		subject,
		issuer,
		publicKey: keys.publicKey,
		signingKey: signedBy.privateKey,
		signingAlgorithm: p384,
		...rest,
	});
	return AsnParser.parse(certificate.rawData, Certificate);
}

const { keyCertSign, cRLSign } = x509.KeyUsageFlags;
export const CA = new x509.BasicConstraintsExtension(true, undefined, true);
export const CA_OF_LEAVES = new x509.BasicConstraintsExtension(true, 0, true);
export const SIGNS_ALL = new x509.KeyUsagesExtension(keyCertSign | cRLSign, true);
