import { hexToBytes } from "@noble/hashes/utils.js";
import { AsnParser, OctetString } from "@peculiar/asn1-schema";
import {
	AttributeValue,
	Certificate,
	Extension,
	Extensions,
	type TBSCertificate,
	Time,
	Version,
} from "@peculiar/asn1-x509";
import { beforeAll, describe, expect, test } from "vitest";
import { serialize } from "../../../src/x509/der.ts";
import { exportKeyPair, generateHolderKeyPair } from "../../../src/x509/holder-key.ts";
import type { IssuingAuthority } from "../../../src/x509/issuing-authority.ts";
import type { LeafExpectation } from "../../../src/x509/leaf-expectation.ts";
import { lintLeaf } from "../../../src/x509/lint-leaf.ts";
import { buildLeaf, createTestAuthority, issueInput, maria } from "./test-authority.ts";

let authority: IssuingAuthority;
let expected: LeafExpectation;
let leaf: Uint8Array;
let otherKey: Uint8Array;

beforeAll(async () => {
	authority = await createTestAuthority();
	const pairs = await Promise.all([generateHolderKeyPair("rsa-2048"), generateHolderKeyPair("rsa-2048")]);
	const [own, other] = await Promise.all(pairs.map(exportKeyPair));
	otherKey = other!.spki;
	const { serial, notBefore, notAfter, holder } = issueInput();
	expected = { serial, notBefore, notAfter, holder, keyAlgorithm: "rsa-2048", publicKey: own!.spki };
	leaf = await buildLeaf(authority, expected);
});

describe("a properly signed leaf with one part wrong is refused:", () => {
	const extension = (tbs: TBSCertificate, oid: string) =>
		tbs.extensions!.find(({ extnID }) => extnID === oid)!;
	const setAttribute = (index: number, value: object) => (tbs: TBSCertificate) =>
		void Object.assign(tbs.subject[index]![0]!, { value: new AttributeValue(value) });
	const setValue = (oid: string, hex: string) => (tbs: TBSCertificate) => {
		extension(tbs, oid).extnValue = new OctetString(hexToBytes(hex));
	};
	const alterLastByte = (oid: string) => (tbs: TBSCertificate) => {
		const value = new Uint8Array(extension(tbs, oid).extnValue.buffer);
		value[value.length - 1]! ^= 1;
	};

	test.each<[string, (tbs: TBSCertificate) => void, string[]]>([
		["version 1", (tbs) => void Object.assign(tbs, { version: Version.v2 }), ["version: not 3"]],
		[
			"another serial",
			(tbs) => {
				new Uint8Array(tbs.serialNumber)[15] = 0;
			},
			["serial: not the one written down"],
		],
		[
			"a short serial",
			(tbs) => void Object.assign(tbs, { serialNumber: tbs.serialNumber.slice(1) }),
			["serial: not the one written down", "serial: not 16 positive bytes"],
		],
		["another issuer", (tbs) => void tbs.issuer.pop(), ["issuer: not the authority's name"]],
		[
			"an earlier notBefore",
			(tbs) => void Object.assign(tbs.validity, { notBefore: new Time("2026-01-01") }),
			["notBefore: not the time asked for"],
		],
		[
			"a later notAfter",
			(tbs) => void Object.assign(tbs.validity, { notAfter: new Time("2028-01-01") }),
			["notAfter: not the time asked for"],
		],
		[
			"GeneralizedTime before 2050",
			(tbs) => void Object.assign(tbs.validity, { notAfter: new Time({ generalTime: expected.notAfter }) }),
			["notAfter: not the time asked for"],
		],
		["another country", setAttribute(0, { printableString: "AR" }), ["subject C: wrong"]],
		["the RUT as UTF8String", setAttribute(3, { utf8String: maria.rut }), ["subject serialNumber: wrong"]],
		["another title", setAttribute(4, { printableString: "EMPRESA" }), ["subject title: wrong"]],
		["a CA", setValue("2.5.29.19", "30030101ff"), ["basicConstraints: wrong"]],
		["keyCertSign", setValue("2.5.29.15", "030202e4"), ["keyUsage: wrong"]],
		["serverAuth", setValue("2.5.29.37", "300a06082b06010505070301"), ["extendedKeyUsage: wrong"]],
		["another key identifier", alterLastByte("2.5.29.14"), ["subjectKeyIdentifier: wrong"]],
		["another authority's key identifier", alterLastByte("2.5.29.35"), ["authorityKeyIdentifier: wrong"]],
		["another CPS URL", alterLastByte("2.5.29.32"), ["certificatePolicies: wrong"]],
		["another CRL URL", alterLastByte("2.5.29.31"), ["cRLDistributionPoints: wrong"]],
		["another caIssuers URL", alterLastByte("1.3.6.1.5.5.7.1.1"), ["authorityInfoAccess: wrong"]],
		["another authority's RUT", alterLastByte("2.5.29.18"), ["issuerAltName: wrong"]],
		["another e-mail in the subjectAltName", alterLastByte("2.5.29.17"), ["subjectAltName: wrong"]],
		[
			"another RUT in the subjectAltName",
			(tbs) => {
				new Uint8Array(extension(tbs, "2.5.29.17").extnValue.buffer)[25]! ^= 1;
			},
			["subjectAltName: wrong"],
		],
		["an extension that cannot be read", setValue("2.5.29.17", "ff"), ["subjectAltName: wrong"]],
		[
			"an extension too many",
			(tbs) =>
				void tbs.extensions!.push(new Extension({ extnID: "1.2.3.4", extnValue: new OctetString([5, 0]) })),
			["extension 1.2.3.4: not in the profile"],
		],
	])("%s", async (_what, alter, failures) => {
		expect(await lintLeaf(authority, await resign(alter), expected)).toEqual(failures);
	});

	describe.each([
		["2.5.29.19", "basicConstraints"],
		["2.5.29.15", "keyUsage"],
		["2.5.29.37", "extendedKeyUsage"],
		["2.5.29.14", "subjectKeyIdentifier"],
		["2.5.29.35", "authorityKeyIdentifier"],
		["2.5.29.32", "certificatePolicies"],
		["2.5.29.31", "cRLDistributionPoints"],
		["1.3.6.1.5.5.7.1.1", "authorityInfoAccess"],
		["2.5.29.18", "issuerAltName"],
		["2.5.29.17", "subjectAltName"],
	])("%s", (oid, name) => {
		test(`${name} missing`, async () => {
			const without = await resign(
				(tbs) =>
					void Object.assign(tbs, {
						extensions: new Extensions(tbs.extensions!.filter(({ extnID }) => extnID !== oid)),
					}),
			);
			expect(await lintLeaf(authority, without, expected)).toEqual([`${name}: missing`]);
		});

		test(`${name} more than once`, async () => {
			const twice = await resign((tbs) => void tbs.extensions!.push(extension(tbs, oid)));
			expect(await lintLeaf(authority, twice, expected)).toEqual([`${name}: more than once`]);
		});

		test(`${name} critical when it should not be, or not when it should`, async () => {
			const flipped = await resign(
				(tbs) => void Object.assign(extension(tbs, oid), { critical: !extension(tbs, oid).critical }),
			);
			expect(await lintLeaf(authority, flipped, expected)).toEqual([`${name}: wrong criticality`]);
		});
	});

	async function resign(alter: (tbs: TBSCertificate) => void): Promise<Uint8Array> {
		const certificate = AsnParser.parse(leaf, Certificate);
		alter(certificate.tbsCertificate);
		const tbs = serialize(certificate.tbsCertificate);
		const { signature } = await authority.signer.sign("certificates", tbs);
		certificate.signatureValue = Uint8Array.from(signature).buffer;
		return serialize(certificate);
	}
});

describe("a leaf that is not what was asked for is refused:", () => {
	test("another public key", async () => {
		const failures = await lintLeaf(authority, leaf, { ...expected, publicKey: otherKey });
		expect(failures).toEqual(["public key: not the generated one", "subjectKeyIdentifier: wrong"]);
	});

	test("an EC key's leaf with keyEncipherment, an RSA key's without it", async () => {
		const { spki: publicKey } = await exportKeyPair(await generateHolderKeyPair("ec-p256"));
		const ofEc = { ...expected, keyAlgorithm: "ec-p256", publicKey } as const;
		const built = await buildLeaf(authority, ofEc);
		expect(await lintLeaf(authority, built, ofEc)).toEqual([]);
		const asRsa = await lintLeaf(authority, built, { ...ofEc, keyAlgorithm: "rsa-2048" });
		expect(asRsa).toContain("keyUsage: wrong");
	});

	test("another key algorithm", async () => {
		const failures = await lintLeaf(authority, leaf, { ...expected, keyAlgorithm: "ec-p256" });
		expect(failures).toEqual(["public key: not of the algorithm asked for", "keyUsage: wrong"]);
	});

	test("another holder", async () => {
		const holder = { rut: "7654302-K", fullName: "Otra Persona", email: "otra@example.cl" };
		const failures = await lintLeaf(authority, leaf, { ...expected, holder });
		expect(failures).toEqual([
			"subject CN: wrong",
			"subject emailAddress: wrong",
			"subject serialNumber: wrong",
			"subjectAltName: wrong",
		]);
		expect(failures.join()).not.toMatch(/María|12345678|example/);
	});

	test.each([
		["rut", { rut: "77777777-7" }, "issuerAltName: wrong"],
		["policyOid", { policyOid: "1.2.3" }, "certificatePolicies: wrong"],
		["cpsUrl", { cpsUrl: "https://other.example" }, "certificatePolicies: wrong"],
		["crlUrl", { crlUrl: "http://other.example" }, "cRLDistributionPoints: wrong"],
		["ocspUrl", { ocspUrl: "http://other.example" }, "authorityInfoAccess: wrong"],
	])("another %s of the authority", async (_what, difference, failure) => {
		expect(await lintLeaf({ ...authority, ...difference }, leaf, expected)).toEqual([failure]);
	});

	test("signed by another authority", async () => {
		const other = await createTestAuthority();
		const failures = await lintLeaf(other, leaf, expected);
		expect(failures).toEqual([
			"authorityKeyIdentifier: wrong",
			// The addresses are named after the authority's key.
			"cRLDistributionPoints: wrong",
			"authorityInfoAccess: wrong",
		]);
	});

	test("signed with another algorithm than the authority's", async () => {
		const other = await createTestAuthority("p-384");
		const failures = await lintLeaf(other, leaf, expected);
		expect(failures).toContain("signature algorithm: not the authority's");
	});

	test("trailing bytes", async () => {
		const longer = Uint8Array.from([...leaf, 0]);
		expect(await lintLeaf(authority, longer, expected)).toContain("certificate: bytes after its end");
	});

	test("not a certificate", async () => {
		expect(await lintLeaf(authority, new Uint8Array([1, 2, 3]), expected)).toEqual(["certificate: not DER"]);
	});
});
