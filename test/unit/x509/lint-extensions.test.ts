import { AsnParser, OctetString } from "@peculiar/asn1-schema";
import {
	AuthorityKeyIdentifier,
	Certificate,
	CertificatePolicies,
	CRLDistributionPoints,
	GeneralName,
	GeneralNames,
	PolicyInformation,
	Reason,
} from "@peculiar/asn1-x509";
import { beforeAll, expect, test } from "vitest";
import { serialize } from "../../../src/x509/der.ts";
import { exportKeyPair, generateHolderKeyPair } from "../../../src/x509/holder-key.ts";
import type { IssuingAuthority } from "../../../src/x509/issuing-authority.ts";
import type { LeafExpectation } from "../../../src/x509/leaf-expectation.ts";
import { lintExtensions } from "../../../src/x509/lint-extensions.ts";
import { buildLeaf, createTestAuthority, issueInput } from "./test-authority.ts";

let authority: IssuingAuthority;
let issuer: Certificate;
let expected: LeafExpectation;
let leaf: Uint8Array;

beforeAll(async () => {
	authority = await createTestAuthority("p-384");
	issuer = AsnParser.parse(authority.certificate, Certificate);
	const { spki } = await exportKeyPair(await generateHolderKeyPair("ec-p256"));
	const { serial, notBefore, notAfter, holder } = issueInput();
	expected = { serial, notBefore, notAfter, holder, keyAlgorithm: "ec-p256", publicKey: spki };
	leaf = await buildLeaf(authority, expected);
});

/** The failures of the leaf's extensions once one of them is changed. */
function lintChanged<Value extends object>(
	oid: string,
	type: new () => Value,
	change: (value: Value) => void,
): Promise<string[]> {
	const { extensions = [] } = AsnParser.parse(leaf, Certificate).tbsCertificate;
	const extension = extensions.find(({ extnID }) => extnID === oid)!;
	const value = AsnParser.parse(extension.extnValue.buffer, type);
	change(value);
	extension.extnValue = new OctetString(serialize(value));
	return lintExtensions(extensions, authority, issuer, expected);
}

const same = (): void => undefined;
const email = (): GeneralName => new GeneralName({ rfc822Name: "maria.jose@example.cl" });
const uri = (uniformResourceIdentifier: string): GeneralName =>
	new GeneralName({ uniformResourceIdentifier });

const typed = (typeId: string) => (names: GeneralNames) =>
	void Object.assign(names[0]!.otherName!, { typeId });

test("extensions parsed and written again have no failures", async () => {
	for (const oid of ["2.5.29.17", "2.5.29.18"])
		expect(await lintChanged(oid, GeneralNames, same)).toEqual([]);
	expect(await lintChanged("2.5.29.35", AuthorityKeyIdentifier, same)).toEqual([]);
	expect(await lintChanged("2.5.29.32", CertificatePolicies, same)).toEqual([]);
	expect(await lintChanged("2.5.29.31", CRLDistributionPoints, same)).toEqual([]);
});

test.each<[string, string, string, (names: GeneralNames) => void]>([
	["2.5.29.17", "subjectAltName", "a name more", (names) => void names.push(email())],
	["2.5.29.17", "subjectAltName", "a name less", (names) => void names.pop()],
	["2.5.29.17", "subjectAltName", "the RUT of another type", typed("1.3.6.1.4.1.8321.2")],
	["2.5.29.17", "subjectAltName", "an e-mail for the RUT", (names) => void names.splice(0, 1, email())],
	["2.5.29.18", "issuerAltName", "a name more", (names) => void names.push(email())],
	["2.5.29.18", "issuerAltName", "the RUT of another type", typed("1.3.6.1.4.1.8321.1")],
])("%s: %s with %s is wrong", async (oid, name, _, change) => {
	expect(await lintChanged(oid, GeneralNames, change)).toEqual([`${name}: wrong`]);
});

test("RFC 5280 §4.2.1.1: the authority's key identifier stands alone", async () => {
	const wrong = ["authorityKeyIdentifier: wrong"];
	const lint = (change: (value: AuthorityKeyIdentifier) => void) =>
		lintChanged("2.5.29.35", AuthorityKeyIdentifier, change);
	expect(await lint((value) => void delete value.keyIdentifier)).toEqual(wrong);
	expect(
		await lint((value) => void Object.assign(value, { authorityCertSerialNumber: Uint8Array.of(1).buffer })),
	).toEqual(wrong);
	expect(await lint((value) => void Object.assign(value, { authorityCertIssuer: [email()] }))).toEqual(wrong);
});

test("RFC 5280 §4.2.1.1: without a key identifier of its own an authority matches no leaf", async () => {
	const { extensions = [] } = AsnParser.parse(leaf, Certificate).tbsCertificate;
	const nameless = AsnParser.parse(authority.certificate, Certificate);
	const tbs = nameless.tbsCertificate;
	const others = tbs.extensions!.filter(({ extnID }) => extnID !== "2.5.29.14");
	tbs.extensions!.splice(0, Number.POSITIVE_INFINITY, ...others);
	const wrong = ["authorityKeyIdentifier: wrong"];
	expect(await lintExtensions(extensions, authority, nameless, expected)).toEqual(wrong);
	delete tbs.extensions;
	expect(await lintExtensions(extensions, authority, nameless, expected)).toEqual(wrong);
});

test.each<[string, (policies: CertificatePolicies) => void]>([
	["no policy", (policies) => void policies.pop()],
	["a policy more", (policies) => void policies.push(new PolicyInformation({ policyIdentifier: "1.2.3" }))],
	["no qualifier", (policies) => void delete policies[0]!.policyQualifiers],
	["a qualifier more", ([policy]) => void policy!.policyQualifiers!.push(policy!.policyQualifiers![0]!)],
	[
		"a qualifier of another type",
		([policy]) =>
			void Object.assign(policy!.policyQualifiers![0]!, { policyQualifierId: "1.3.6.1.5.5.7.2.2" }),
	],
])("certificatePolicies with %s is wrong", async (_, change) => {
	const failures = await lintChanged("2.5.29.32", CertificatePolicies, change);
	expect(failures).toEqual(["certificatePolicies: wrong"]);
});

test.each<[string, (points: CRLDistributionPoints) => void]>([
	["no point", (points) => void points.pop()],
	["a point more", (points) => void points.push(points[0]!)],
	["no name", ([point]) => void delete point!.distributionPoint],
	[
		"an address more",
		([point]) => void point!.distributionPoint!.fullName!.push(uri("http://other.example")),
	],
	["reasons", ([point]) => void Object.assign(point!, { reasons: new Reason(1) })],
	["another issuer of the CRL", ([point]) => void Object.assign(point!, { cRLIssuer: [email()] })],
])("cRLDistributionPoints with %s is wrong", async (_, change) => {
	const failures = await lintChanged("2.5.29.31", CRLDistributionPoints, change);
	expect(failures).toEqual(["cRLDistributionPoints: wrong"]);
});
