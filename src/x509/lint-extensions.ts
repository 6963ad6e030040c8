import { bytesToHex } from "@noble/hashes/utils.js";
import { AsnParser } from "@peculiar/asn1-schema";
import {
	AttributeValue,
	AuthorityInfoAccessSyntax,
	AuthorityKeyIdentifier,
	type Certificate,
	CertificatePolicies,
	CRLDistributionPoints,
	ExtendedKeyUsage,
	type Extension,
	type GeneralName,
	GeneralNames,
	Qualifier,
	SubjectKeyIdentifier,
	SubjectPublicKeyInfo,
} from "@peculiar/asn1-x509";
import type { AuthorityExpectation, LeafExpectation } from "./leaf-expectation.ts";
import { isEmail, isRut } from "./lint-subject.ts";

interface ExtensionRule {
	name: string;
	critical?: true;
	holds(value: Uint8Array<ArrayBuffer>): boolean;
}

/** Failures of a leaf's extensions: each of the profile's exactly once, with its criticality, and no others. */
export async function lintExtensions(
	extensions: Extension[],
	authority: AuthorityExpectation,
	issuer: Certificate,
	expected: LeafExpectation,
): Promise<string[]> {
	const rules = {
		...onceEach(authority, issuer, authorityRules(authority, issuer)),
		...holderRules(expected, await computeKeyId(expected.publicKey)),
	};
	const failures = extensions
		.filter(({ extnID }) => !Object.hasOwn(rules, extnID))
		.map(({ extnID }) => `extension ${extnID}: not in the profile`);
	for (const [oid, rule] of Object.entries(rules)) {
		const found = extensions.filter(({ extnID }) => extnID === oid);
		const [extension] = found;
		if (!extension) failures.push(`${rule.name}: missing`);
		else if (found.length > 1) failures.push(`${rule.name}: more than once`);
		else if (extension.critical !== (rule.critical ?? false))
			failures.push(`${rule.name}: wrong criticality`);
		else if (!holdsSafely(rule, extension)) failures.push(`${rule.name}: wrong`);
	}
	return failures;
}

/** Values, as `oid value` in hex, that satisfied an authority's rules under this certificate. */
const heldFor = new WeakMap<AuthorityExpectation, { issuer: Certificate; values: Set<string> }>();

/**
 * Rules of values that an authority's leaves share. A value that was parsed and held once is the same bytes in the next
 * leaf, so comparing them is enough.
 */
function onceEach(
	authority: AuthorityExpectation,
	issuer: Certificate,
	rules: Record<string, ExtensionRule>,
): Record<string, ExtensionRule> {
	const known = heldFor.get(authority);
	const held = known?.issuer === issuer ? known.values : new Set<string>();
	heldFor.set(authority, { issuer, values: held });
	const remembering = Object.entries(rules).map(([oid, rule]): [string, ExtensionRule] => {
		const holds = (value: Uint8Array<ArrayBuffer>) => {
			const key = `${oid} ${bytesToHex(value)}`;
			if (!held.has(key) && rule.holds(value)) held.add(key);
			return held.has(key);
		};
		return [oid, { ...rule, holds }];
	});
	return Object.fromEntries(remembering);
}

function authorityRules(authority: AuthorityExpectation, issuer: Certificate): Record<string, ExtensionRule> {
	return {
		"2.5.29.19": { name: "basicConstraints", critical: true, holds: (value) => bytesToHex(value) === "3000" },
		"2.5.29.37": {
			name: "extendedKeyUsage",
			holds: (value) =>
				AsnParser.parse(value, ExtendedKeyUsage).join() === "1.3.6.1.5.5.7.3.2,1.3.6.1.5.5.7.3.4",
		},
		"2.5.29.35": { name: "authorityKeyIdentifier", holds: (value) => pointsTo(issuer, value) },
		"2.5.29.32": { name: "certificatePolicies", holds: (value) => isPolicy(authority, value) },
		"2.5.29.31": { name: "cRLDistributionPoints", holds: (value) => isDistribution(authority.crlUrl, value) },
		"1.3.6.1.5.5.7.1.1": { name: "authorityInfoAccess", holds: (value) => isAccess(authority, value) },
		"2.5.29.18": {
			name: "issuerAltName",
			holds: (value) => {
				const names = AsnParser.parse(value, GeneralNames);
				return names.length === 1 && isRut(rutOf(names[0], "1.3.6.1.4.1.8321.2"), authority.rut);
			},
		},
	};
}

function holderRules(
	{ holder, keyAlgorithm }: LeafExpectation,
	keyId: string,
): Record<string, ExtensionRule> {
	// digitalSignature, nonRepudiation and, for RSA, keyEncipherment are bits 0 to 2 (RFC 5280 §4.2.1.3).
	const usage = keyAlgorithm === "rsa-2048" ? "030205e0" : "030206c0";
	return {
		"2.5.29.15": { name: "keyUsage", critical: true, holds: (value) => bytesToHex(value) === usage },
		"2.5.29.14": {
			name: "subjectKeyIdentifier",
			holds: (value) => bytesToHex(readKeyId(value)) === keyId,
		},
		"2.5.29.17": {
			name: "subjectAltName",
			holds: (value) => {
				const names = AsnParser.parse(value, GeneralNames);
				return (
					names.length === 2 &&
					isRut(rutOf(names[0], "1.3.6.1.4.1.8321.1"), holder.rut) &&
					isEmail(names[1]?.rfc822Name, holder.email)
				);
			},
		},
	};
}

/** A value that cannot be parsed fails its rule. */
function holdsSafely(rule: ExtensionRule, extension: Extension): boolean {
	try {
		return rule.holds(new Uint8Array(extension.extnValue.buffer));
	} catch {
		return false;
	}
}

function rutOf(name: GeneralName | undefined, typeId: string): string | undefined {
	if (name?.otherName?.typeId !== typeId) return undefined;
	return AsnParser.parse(name.otherName.value, AttributeValue).ia5String;
}

function pointsTo(issuer: Certificate, value: Uint8Array<ArrayBuffer>): boolean {
	const { keyIdentifier, ...rest } = AsnParser.parse(value, AuthorityKeyIdentifier);
	const identifier = issuer.tbsCertificate.extensions?.find(({ extnID }) => extnID === "2.5.29.14");
	if (!keyIdentifier || !identifier || Object.values(rest).some((part) => part !== undefined)) return false;
	return bytesToHex(new Uint8Array(keyIdentifier.buffer)) === bytesToHex(readKeyId(identifier.extnValue));
}

function isPolicy({ policyOid, cpsUrl }: AuthorityExpectation, value: Uint8Array<ArrayBuffer>): boolean {
	const policies = AsnParser.parse(value, CertificatePolicies);
	const qualifiers = policies[0]?.policyQualifiers ?? [];
	const qualifier = qualifiers[0];
	return (
		policies.length === 1 &&
		policies[0]?.policyIdentifier === policyOid &&
		qualifiers.length === 1 &&
		qualifier?.policyQualifierId === "1.3.6.1.5.5.7.2.1" &&
		AsnParser.parse(qualifier.qualifier, Qualifier).cPSuri === cpsUrl
	);
}

function isDistribution(crlUrl: string, value: Uint8Array<ArrayBuffer>): boolean {
	const points = AsnParser.parse(value, CRLDistributionPoints);
	const { distributionPoint, reasons, cRLIssuer } = points[0] ?? {};
	const names = distributionPoint?.fullName ?? [];
	if (points.length !== 1 || names.length !== 1 || reasons || cRLIssuer) return false;
	return names[0]?.uniformResourceIdentifier === crlUrl;
}

function isAccess({ ocspUrl, caIssuersUrl }: AuthorityExpectation, value: Uint8Array<ArrayBuffer>): boolean {
	const entries = AsnParser.parse(value, AuthorityInfoAccessSyntax).map(
		({ accessMethod, accessLocation }) => `${accessMethod} ${accessLocation.uniformResourceIdentifier}`,
	);
	return entries.join() === `1.3.6.1.5.5.7.48.1 ${ocspUrl},1.3.6.1.5.5.7.48.2 ${caIssuersUrl}`;
}

function readKeyId(value: BufferSource): Uint8Array {
	return new Uint8Array(AsnParser.parse(value, SubjectKeyIdentifier).buffer);
}

/** SHA-1 of the public key's bits (RFC 5280 §4.2.1.2 method 1). */
async function computeKeyId(spki: Uint8Array): Promise<string> {
	const { subjectPublicKey } = AsnParser.parse(spki, SubjectPublicKeyInfo);
	return bytesToHex(new Uint8Array(await crypto.subtle.digest("SHA-1", subjectPublicKey)));
}
