import type { Certificate, SubjectPublicKeyInfo } from "@peculiar/asn1-x509";
import { serialize } from "./der.ts";
import { decodeEcdsaSignature } from "./ecdsa-signature.ts";

const rsaHashes: Record<string, string> = {
	"1.2.840.113549.1.1.11": "SHA-256",
	"1.2.840.113549.1.1.12": "SHA-384",
	"1.2.840.113549.1.1.13": "SHA-512",
};
const ecdsaHashes: Record<string, string> = {
	"1.2.840.10045.4.3.2": "SHA-256",
	"1.2.840.10045.4.3.3": "SHA-384",
};

/**
 * Whether the certificate's signature verifies under the public key: RSA PKCS#1 v1.5 or ECDSA on P-384.
 * An algorithm other than these, or one that does not fit the key, is a signature that does not verify.
 *
 * @param certificate as parsed from DER, so that `tbsCertificateRaw` is there
 */
export async function verifyCertificateSignature(
	certificate: Certificate,
	publicKey: SubjectPublicKeyInfo,
): Promise<boolean> {
	const tbs = certificate.tbsCertificateRaw;
	if (!tbs) return false;
	const oid = certificate.signatureAlgorithm.algorithm;
	return verifySignature(oid, publicKey, new Uint8Array(certificate.signatureValue), new Uint8Array(tbs));
}

/** The same for any octets. `oid` names the signature algorithm. */
export async function verifySignature(
	oid: string,
	publicKey: SubjectPublicKeyInfo,
	signature: Uint8Array,
	signed: Uint8Array,
): Promise<boolean> {
	const spki = serialize(publicKey);
	try {
		const rsaHash = rsaHashes[oid];
		if (rsaHash) {
			const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: rsaHash };
			const key = await crypto.subtle.importKey("spki", spki, algorithm, false, ["verify"]);
			return await crypto.subtle.verify(algorithm.name, key, signature, signed);
		}
		const ecdsaHash = ecdsaHashes[oid];
		const raw = decodeEcdsaSignature(signature, 48);
		if (!ecdsaHash || !raw) return false;
		const curve = { name: "ECDSA", namedCurve: "P-384" };
		const key = await crypto.subtle.importKey("spki", spki, curve, false, ["verify"]);
		return await crypto.subtle.verify({ name: "ECDSA", hash: ecdsaHash }, key, raw, signed);
	} catch {
		// WebCrypto throws when the key is of another kind than the algorithm.
		return false;
	}
}
