import { concatBytes } from "@noble/hashes/utils.js";
import { OctetString } from "@peculiar/asn1-schema";
import {
	AccessDescription,
	AuthorityInfoAccessSyntax,
	AuthorityKeyIdentifier,
	BasicConstraints,
	CertificatePolicies,
	CRLDistributionPoints,
	DistributionPoint,
	DistributionPointName,
	ExtendedKeyUsage,
	Extension,
	GeneralName,
	IssueAlternativeName,
	KeyIdentifier,
	KeyUsage,
	KeyUsageFlags,
	OtherName,
	PolicyInformation,
	PolicyQualifierInfo,
	SubjectAlternativeName,
	SubjectKeyIdentifier,
} from "@peculiar/asn1-x509";
import { encodeIa5String, frame, serialize, tag } from "./der.ts";
import type { Holder } from "./subject-name.ts";

/** Decreto 181/2002: otherName types of the holder's and of the authority's RUT. */
const HOLDER_RUT = "1.3.6.1.4.1.8321.1";
const AUTHORITY_RUT = "1.3.6.1.4.1.8321.2";
const CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
const EMAIL_PROTECTION = "1.3.6.1.5.5.7.3.4";

/** Facts of the authority that its leaves state. */
export interface AuthorityFacts {
	rut: string;
	policyOid: string;
	cpsUrl: string;
	crlUrl: string;
	ocspUrl: string;
	caIssuersUrl: string;
	/** The key identifier itself: the AKI of the leaves. */
	subjectKeyId: Uint8Array<ArrayBuffer>;
}

/** DER of the extensions that are the same in every leaf, concatenated. Called once per authority. */
export function encodeSharedExtensions(authority: AuthorityFacts): Uint8Array {
	return concatBytes(
		extension("2.5.29.19", serialize(new BasicConstraints({ cA: false })), true),
		extension("2.5.29.37", serialize(new ExtendedKeyUsage([CLIENT_AUTH, EMAIL_PROTECTION]))),
		extension("2.5.29.35", serialize(authorityKeyIdentifier(authority.subjectKeyId))),
		extension("2.5.29.32", serialize(certificatePolicies(authority))),
		extension("2.5.29.31", serialize(distributionPoints(authority.crlUrl))),
		extension("1.3.6.1.5.5.7.1.1", serialize(informationAccess(authority))),
		extension("2.5.29.18", serialize(new IssueAlternativeName([otherName(AUTHORITY_RUT, authority.rut)]))),
	);
}

/**
 * DER of the extensions that differ between leaves, concatenated. LibreDTE reads only the first entry of the
 * subjectAltName, and cl_sii requires exactly one otherName.
 */
export function encodeHolderExtensions(
	holder: Holder,
	{ keyId, isRsa }: { keyId: Uint8Array<ArrayBuffer>; isRsa: boolean },
): Uint8Array {
	const signing = KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation;
	// RFC 8813 §3 forbids keyEncipherment to an EC key.
	const usage = isRsa ? signing | KeyUsageFlags.keyEncipherment : signing;
	const names = [otherName(HOLDER_RUT, holder.rut), new GeneralName({ rfc822Name: holder.email })];
	return concatBytes(
		extension("2.5.29.15", serialize(new KeyUsage(usage)), true),
		extension("2.5.29.14", serialize(new SubjectKeyIdentifier(keyId))),
		extension("2.5.29.17", serialize(new SubjectAlternativeName(names))),
	);
}

/** The extensions of a TBSCertificate, `[3] EXPLICIT Extensions` (RFC 5280 §4.1). */
export function frameExtensions(...extensions: Uint8Array[]): Uint8Array {
	return frame(tag.explicit(3), frame(tag.sequence, ...extensions));
}

/** DER of one Extension with this DER value. */
export function extension(extnID: string, value: Uint8Array<ArrayBuffer>, critical = false): Uint8Array {
	return serialize(new Extension({ extnID, critical, extnValue: new OctetString(value) }));
}

function otherName(typeId: string, rut: string): GeneralName {
	return new GeneralName({ otherName: new OtherName({ typeId, value: encodeIa5String(rut).buffer }) });
}

export function authorityKeyIdentifier(keyId: Uint8Array<ArrayBuffer>): AuthorityKeyIdentifier {
	return new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(keyId) });
}

function certificatePolicies({ policyOid, cpsUrl }: AuthorityFacts): CertificatePolicies {
	const qualifier = new PolicyQualifierInfo({
		policyQualifierId: "1.3.6.1.5.5.7.2.1",
		qualifier: encodeIa5String(cpsUrl).buffer,
	});
	return new CertificatePolicies([
		new PolicyInformation({ policyIdentifier: policyOid, policyQualifiers: [qualifier] }),
	]);
}

function distributionPoints(crlUrl: string): CRLDistributionPoints {
	const fullName = [new GeneralName({ uniformResourceIdentifier: crlUrl })];
	const distributionPoint = new DistributionPointName({ fullName });
	return new CRLDistributionPoints([new DistributionPoint({ distributionPoint })]);
}

function informationAccess({ ocspUrl, caIssuersUrl }: AuthorityFacts): AuthorityInfoAccessSyntax {
	const access = (accessMethod: string, url: string) =>
		new AccessDescription({
			accessMethod,
			accessLocation: new GeneralName({ uniformResourceIdentifier: url }),
		});
	return new AuthorityInfoAccessSyntax([
		access("1.3.6.1.5.5.7.48.1", ocspUrl),
		access("1.3.6.1.5.5.7.48.2", caIssuersUrl),
	]);
}
