import { AsnParser } from "@peculiar/asn1-schema";
import {
	BasicConstraints,
	type Certificate,
	KeyUsage,
	KeyUsageFlags,
	type Name,
	SubjectKeyIdentifier,
} from "@peculiar/asn1-x509";
import { AuthorityError } from "./authority-error.ts";
import { serialize } from "./der.ts";
import { type Signer, signatureOid, verifyCertificateSignature, verifySignature } from "./signatures.ts";

// Every check throws an AuthorityError that says what is wrong.

/** Checks that the certificate is a CA of path length 0, signs certificates and CRLs, and is signed by this root. */
export async function checkChain(certificate: Certificate, root: Certificate): Promise<void> {
	const constraints = readExtension(certificate, "2.5.29.19", BasicConstraints);
	if (!constraints?.cA) throw new AuthorityError("the issuing certificate is not a CA");
	if (constraints.pathLenConstraint !== 0) {
		throw new AuthorityError("the issuing certificate's path length is not 0");
	}
	const usage = readExtension(certificate, "2.5.29.15", KeyUsage)?.toNumber() ?? 0;
	if (!(usage & KeyUsageFlags.keyCertSign) || !(usage & KeyUsageFlags.cRLSign)) {
		throw new AuthorityError("the issuing certificate lacks keyCertSign or cRLSign");
	}
	if (!readExtension(root, "2.5.29.19", BasicConstraints)?.cA) {
		throw new AuthorityError("the root certificate is not a CA");
	}
	if (!sameName(certificate.tbsCertificate.issuer, root.tbsCertificate.subject)) {
		throw new AuthorityError("the issuing certificate names another issuer than the root");
	}
	const rootKey = root.tbsCertificate.subjectPublicKeyInfo;
	if (!(await verifyCertificateSignature(certificate, rootKey))) {
		throw new AuthorityError("the issuing certificate is not signed by the root");
	}
	if (!(await verifyCertificateSignature(root, rootKey))) {
		throw new AuthorityError("the root certificate is not signed by itself");
	}
}

/**
 * Checks that the signer has the certificate's key, and that an RSA key has `rsaMinBits` or more.
 *
 * @param name - "issuing" or "OCSP", for the error
 */
export async function checkKey(
	name: string,
	certificate: Certificate,
	signer: Signer,
	rsaMinBits: number,
): Promise<void> {
	const publicKey = certificate.tbsCertificate.subjectPublicKeyInfo;
	// Is no TBSCertificate, so the signature cannot be misused.
	const probe = new TextEncoder().encode("does this key belong to this certificate?");
	const signature = await signer.sign(probe);
	if (!(await verifySignature(signatureOid[signer.algorithm], publicKey, signature, probe))) {
		throw new AuthorityError(`the ${name} key does not belong to the ${name} certificate`);
	}
	// A PKCS#1 v1.5 signature is as long as its modulus.
	if (signer.algorithm === "rsa-sha256" && signature.length * 8 < rsaMinBits) {
		throw new AuthorityError(`the ${name} RSA key is shorter than ${rsaMinBits} bits`);
	}
}

/** Checks that the leaves' issuer name is all PrintableString, which also re-encodes to the same bytes. */
export function checkName(certificate: Certificate): void {
	const attributes = certificate.tbsCertificate.subject.flat();
	if (attributes.length === 0 || attributes.some(({ value }) => value.printableString === undefined)) {
		throw new AuthorityError("the issuing certificate's name is not PrintableString throughout");
	}
}

/** Checks the form of the authority's facts in its leaves. */
export function checkSettings(facts: {
	rut: string;
	policyOid: string;
	cpsUrl: string;
	crlUrl: string;
}): void {
	if (!/^[1-9]\d{0,7}-[\dK]$/.test(facts.rut)) {
		throw new AuthorityError("the authority's RUT is not of the form 12345678-K");
	}
	if (!/^[0-2](\.(0|[1-9]\d*))+$/.test(facts.policyOid)) {
		throw new AuthorityError("the policy OID is not an object identifier");
	}
	if (!/^https?:\/\/[\x21-\x7e]+$/.test(facts.cpsUrl)) {
		throw new AuthorityError("the CPS URL is not an http(s) URL");
	}
	// RFC 5280 §8: programs do not fetch revocation over https.
	if (!/^http:\/\/[\x21-\x7e]+$/.test(facts.crlUrl)) {
		throw new AuthorityError("the PKI URL is not a plain http URL");
	}
}

/** The key identifier that the leaves' AKI refers to. */
export function readSubjectKeyId(certificate: Certificate): Uint8Array<ArrayBuffer> {
	const identifier = readExtension(certificate, "2.5.29.14", SubjectKeyIdentifier);
	if (!identifier) throw new AuthorityError("the issuing certificate has no subject key identifier");
	return new Uint8Array(identifier.buffer);
}

/** Common name of the certificate's subject, or "". */
export function readCommonName({ tbsCertificate }: Certificate): string {
	const attribute = tbsCertificate.subject.flat().find(({ type }) => type === "2.5.4.3");
	return attribute?.value.toString() ?? "";
}

/** The value of the certificate's extension, or undefined when it has none. */
export function readExtension<T>(certificate: Certificate, oid: string, type: new () => T): T | undefined {
	const found = certificate.tbsCertificate.extensions?.find(({ extnID }) => extnID === oid);
	return found && AsnParser.parse(found.extnValue, type);
}

export function sameName(one: Name, other: Name): boolean {
	return serialize(one).join() === serialize(other).join();
}
