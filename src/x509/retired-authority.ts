import { bytesToHex } from "@noble/hashes/utils.js";
import { checkKey, readCommonName, readSubjectKeyId } from "./check-authority.ts";
import { serialize } from "./der.ts";
import { decodeBase64, type IssuingAuthority, parseCertificate } from "./issuing-authority.ts";
import { createLocalSigner, type Signer } from "./signatures.ts";

/** An issuing authority that was replaced. It signs no leaf any more; its CRL and OCSP answers go on. */
export interface RetiredAuthority
	extends Pick<
		IssuingAuthority,
		"certificate" | "subject" | "commonName" | "publicKey" | "subjectKeyId" | "keyId"
	> {
	/** Null after a leak: the key is destroyed, and its last CRL was signed at a ceremony. */
	signer: Signer | null;
}

const RSA_MIN_BITS = 3072;

/**
 * Loads a replaced authority. Its certificate may have ended, and its root may be another than today's.
 *
 * @param settings - base64 PKCS#8, or null, and base64 DER
 * @throws AuthorityError that says what is wrong
 */
export async function loadRetiredAuthority(settings: {
	key: string | null;
	certificate: string;
}): Promise<RetiredAuthority> {
	const der = decodeBase64(settings.certificate, "issuing certificate");
	const certificate = parseCertificate(der, "issuing certificate");
	const signer =
		settings.key === null ? null : await createLocalSigner(decodeBase64(settings.key, "issuing key"));
	if (signer) await checkKey("issuing", certificate, signer, RSA_MIN_BITS);
	const tbs = certificate.tbsCertificate;
	const subjectKeyId = readSubjectKeyId(certificate);
	return {
		certificate: der,
		subject: serialize(tbs.subject),
		commonName: readCommonName(certificate),
		publicKey: serialize(tbs.subjectPublicKeyInfo),
		subjectKeyId,
		keyId: bytesToHex(subjectKeyId),
		signer,
	};
}
