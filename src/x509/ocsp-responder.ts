import { bytesToHex } from "@noble/hashes/utils.js";
import { AsnParser } from "@peculiar/asn1-schema";
import {
	BasicConstraints,
	type Certificate,
	ExtendedKeyUsage,
	Name,
	SubjectPublicKeyInfo,
} from "@peculiar/asn1-x509";
import { AuthorityError } from "./authority-error.ts";
import { checkKey, readExtension, sameName } from "./check-authority.ts";
import { decodeBase64, type IssuingAuthority, parseCertificate } from "./issuing-authority.ts";
import { createLocalSigner, type Signer, verifyCertificateSignature } from "./signatures.ts";

/** A delegated responder of an authority (RFC 6960 §4.2.2.2), prepared once per isolate. */
export interface OcspResponder {
	/** DER. */
	certificate: Uint8Array;
	signer: Signer;
	/** KeyHash of its ResponderID: SHA-1 of the public key's bits. */
	keyHash: Uint8Array<ArrayBuffer>;
	notBefore: Date;
	notAfter: Date;
	/** issuerNameHash and issuerKeyHash of a CertID of the authority, lower-case hex. */
	issuer: Record<"SHA-1" | "SHA-256", { nameHash: string; keyHash: string }>;
}

const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9";
const OCSP_NOCHECK = "1.3.6.1.5.5.7.48.1.5";
const RSA_MIN_BITS = 2048;

/**
 * Loads the responder of an authority, with its key in this isolate.
 *
 * @param settings - base64 PKCS#8 and base64 DER
 * @throws AuthorityError that says what is wrong. An expired certificate is accepted: issuing must not stop for it.
 */
export async function loadOcspResponder(
	authority: Pick<IssuingAuthority, "subject" | "publicKey">,
	settings: { key: string; certificate: string },
): Promise<OcspResponder> {
	const signer = await createLocalSigner(decodeBase64(settings.key, "OCSP key"), "OCSP key");
	const der = decodeBase64(settings.certificate, "OCSP certificate");
	const certificate = parseCertificate(der, "OCSP certificate");
	const authorityKey = AsnParser.parse(authority.publicKey, SubjectPublicKeyInfo);
	await checkDelegation(certificate, AsnParser.parse(authority.subject, Name), authorityKey);
	await checkKey("OCSP", certificate, signer, RSA_MIN_BITS);
	const { subjectPublicKeyInfo, validity } = certificate.tbsCertificate;
	const identify = async (hash: "SHA-1" | "SHA-256") => ({
		nameHash: bytesToHex(new Uint8Array(await crypto.subtle.digest(hash, authority.subject))),
		keyHash: bytesToHex(new Uint8Array(await crypto.subtle.digest(hash, authorityKey.subjectPublicKey))),
	});
	return {
		certificate: der,
		signer,
		keyHash: new Uint8Array(await crypto.subtle.digest("SHA-1", subjectPublicKeyInfo.subjectPublicKey)),
		notBefore: validity.notBefore.getTime(),
		notAfter: validity.notAfter.getTime(),
		issuer: { "SHA-1": await identify("SHA-1"), "SHA-256": await identify("SHA-256") },
	};
}

async function checkDelegation(
	certificate: Certificate,
	issuer: Name,
	key: SubjectPublicKeyInfo,
): Promise<void> {
	if (!sameName(certificate.tbsCertificate.issuer, issuer)) {
		throw new AuthorityError("the OCSP certificate names another issuer than the issuing certificate");
	}
	if (!(await verifyCertificateSignature(certificate, key))) {
		throw new AuthorityError("the OCSP certificate is not signed by the issuing key");
	}
	if (readExtension(certificate, "2.5.29.19", BasicConstraints)?.cA) {
		throw new AuthorityError("the OCSP certificate is a CA");
	}
	if (!readExtension(certificate, "2.5.29.37", ExtendedKeyUsage)?.includes(OCSP_SIGNING)) {
		throw new AuthorityError("the OCSP certificate lacks the extended key usage OCSPSigning");
	}
	if (!certificate.tbsCertificate.extensions?.some(({ extnID }) => extnID === OCSP_NOCHECK)) {
		throw new AuthorityError("the OCSP certificate lacks id-pkix-ocsp-nocheck");
	}
}
