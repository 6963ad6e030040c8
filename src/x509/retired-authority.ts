import { bytesToHex } from "@noble/hashes/utils.js";
import type { AuthoritySigner } from "./authority-signer.ts";
import { readCommonName, readSubjectKeyId } from "./check-authority.ts";
import { serialize } from "./der.ts";
import {
	decodeBase64,
	type IssuingAuthority,
	type KeyPlace,
	parseCertificate,
	sourceOf,
} from "./issuing-authority.ts";

/** An issuing authority that was replaced. It signs no leaf any more; its CRL and OCSP answers go on. */
export interface RetiredAuthority
	extends Pick<
		IssuingAuthority,
		"certificate" | "subject" | "commonName" | "publicKey" | "subjectKeyId" | "keyId"
	> {
	/** Null after a leak: the key is destroyed, and its last CRL was signed at a ceremony. */
	signer: AuthoritySigner | null;
}

/**
 * Loads a replaced authority. Its certificate may have ended, and its root may be another than today's.
 *
 * @param settings - base64 DER, and where its key is, if anywhere
 * @throws AuthorityError that says what is wrong
 */
export async function loadRetiredAuthority(
	settings: { certificate: string } & (KeyPlace | { key: null }),
): Promise<RetiredAuthority> {
	const der = decodeBase64(settings.certificate, "issuing certificate");
	const certificate = parseCertificate(der, "issuing certificate");
	const signer =
		"signer" in settings || settings.key !== null ? await sourceOf(settings as KeyPlace)(certificate) : null;
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
