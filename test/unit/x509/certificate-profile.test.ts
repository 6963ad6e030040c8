import { bytesToHex } from "@noble/hashes/utils.js";
import { AsnParser } from "@peculiar/asn1-schema";
import { Certificate } from "@peculiar/asn1-x509";
import { beforeAll, describe, expect, test } from "vitest";
import { generateHolderKeyPair } from "../../../src/x509/holder-key.ts";
import { issueCertificate } from "../../../src/x509/issue-certificate.ts";
import type { IssuingAuthority } from "../../../src/x509/issuing-authority.ts";
import { serialToHex } from "../../../src/x509/serial.ts";
import { commonNameOf, type Holder } from "../../../src/x509/subject-name.ts";
import { createTestAuthority, issueInput, maria } from "./test-authority.ts";

let authority: IssuingAuthority;
let ecPair: CryptoKeyPair;

beforeAll(async () => {
	authority = await createTestAuthority();
	ecPair = await generateHolderKeyPair("ec-p256");
});

async function issue(differences: Parameters<typeof issueInput>[0] = {}, by = authority) {
	const result = await issueCertificate(by, issueInput(differences));
	if (!result.ok) throw new Error(result.failures.join("; "));
	return AsnParser.parse(result.leaf, Certificate).tbsCertificate;
}

/** A P-256 key, because these tests do not depend on the key. */
const issueFor = (holder: Partial<Holder>, differences: Parameters<typeof issueInput>[0] = {}) =>
	issue({ holder: { ...maria, ...holder }, keyAlgorithm: "ec-p256", keyPair: ecPair, ...differences });

function commonName(tbs: Certificate["tbsCertificate"]) {
	return tbs.subject[1]![0]!.value;
}

describe("the leaf", () => {
	test("of an RSA authority follows the profile, to the byte where the profile is exact", async () => {
		const tbs = await issue();
		expect(serialToHex(new Uint8Array(tbs.serialNumber))).toBe("4142434445464748494A4B4C4D4E4F50");
		expect(tbs.validity.notBefore.utcTime).toEqual(new Date("2026-11-20T11:55:00Z"));
		expect(tbs.validity.notAfter.utcTime).toEqual(new Date("2027-11-20T12:00:00Z"));
		expect(tbs.subject.flat().map(({ type, value }) => [type, value.toString()])).toEqual([
			["2.5.4.6", "CL"],
			["2.5.4.3", maria.fullName],
			["1.2.840.113549.1.9.1", maria.email],
			["2.5.4.5", "12345678-5"],
			["2.5.4.12", "PERSONA NATURAL"],
		]);
		const extensions = new Map(
			tbs.extensions!.map(({ extnID, extnValue }) => [extnID, bytesToHex(new Uint8Array(extnValue.buffer))]),
		);
		expect(tbs.extensions!.filter(({ critical }) => critical).map(({ extnID }) => extnID)).toEqual([
			"2.5.29.19",
			"2.5.29.15",
		]);
		expect(extensions.get("2.5.29.19")).toBe("3000");
		expect(extensions.get("2.5.29.15")).toBe("030205e0");
		expect(extensions.get("2.5.29.37")).toBe("301406082b0601050507030206082b06010505070304");
		expect(extensions.size).toBe(10);
	});

	test("names the holder's RUT in the first subjectAltName and the authority's in the issuerAltName", async () => {
		const tbs = await issueFor({ rut: "7654302-K" });
		const value = (oid: string) =>
			bytesToHex(new Uint8Array(tbs.extensions!.find(({ extnID }) => extnID === oid)!.extnValue.buffer));
		// [0] { OID 1.3.6.1.4.1.8321.1, [0] IA5String "7654302-K" }, [1] e-mail
		expect(value("2.5.29.17")).toMatch(
			new RegExp(`^30..a01706082b06010401c10101a00b1609${ascii("7654302-K")}81..${ascii(maria.email)}$`),
		);
		expect(value("2.5.29.18")).toMatch(
			new RegExp(`^30..a01806082b06010401c10102a00c160a${ascii("76123456-0")}$`),
		);
	});

	test("of a P-384 authority is signed with ECDSA and SHA-384", async () => {
		const p384 = await createTestAuthority("p-384");
		const tbs = await issue({}, p384);
		expect(tbs.signature.algorithm).toBe("1.2.840.10045.4.3.3");
	});

	test("can hold a P-256 key, and then says no keyEncipherment (RFC 8813 §3)", async () => {
		const tbs = await issueFor({});
		expect(tbs.subjectPublicKeyInfo.algorithm.algorithm).toBe("1.2.840.10045.2.1");
		const usage = tbs.extensions!.find(({ extnID }) => extnID === "2.5.29.15")!;
		expect([usage.critical, bytesToHex(new Uint8Array(usage.extnValue.buffer))]).toEqual([true, "030206c0"]);
	});

	test("has times truncated to the second", async () => {
		const tbs = await issueFor({}, { notBefore: new Date("2026-11-20T11:55:00.999Z") });
		expect(tbs.validity.notBefore.utcTime).toEqual(new Date("2026-11-20T11:55:00Z"));
	});

	test("has UTCTime through 2049 and GeneralizedTime after", async () => {
		const late = await createTestAuthority("p-384", new Date("2048-01-01T00:00:00Z"));
		const notBefore = new Date("2049-12-31T23:59:59Z");
		const notAfter = new Date("2050-12-31T23:59:59.999Z");
		const input = issueInput({ keyAlgorithm: "ec-p256", keyPair: ecPair, notBefore, notAfter });
		const { validity } = await issue(input, late);
		expect(validity.notBefore).toMatchObject({ utcTime: notBefore, generalTime: undefined });
		expect(validity.notAfter.generalTime).toEqual(new Date("2050-12-31T23:59:59Z"));
	});
});

describe("the holder's name is data", () => {
	test.each([
		["Juan Perez", "printableString"],
		["O'Higgins, Bernardo (hijo)", "printableString"],
		["CN=Alguien, C=AR/O=Otro+title=Juez", "printableString"],
		["María José Ñuñoa", "utf8String"],
		["Ñusta 🦙 Quispe", "utf8String"],
		["Juan & Cía. #1; <x>\\", "utf8String"],
	] as const)("%s enters as it is, as %s", async (fullName, form) => {
		const value = commonName(await issueFor({ fullName }));
		expect(value[form]).toBe(fullName);
	});

	test("decomposed letters are composed", async () => {
		const value = commonName(await issueFor({ fullName: "Nun\u0303oa" }));
		expect(value.utf8String).toBe("Nuñoa");
	});

	test("a name longer than 64 characters ends after its last whole word in the common name", {
		tags: ["long-name-common-name"],
	}, () => {
		const long = `${"María ".repeat(12)}Ñuñoa`;
		expect(commonNameOf(long)).toBe("María ".repeat(10).trimEnd());
		expect(commonNameOf("ñ".repeat(70))).toBe("ñ".repeat(64));
		expect(commonNameOf(`${"a".repeat(64)} b`)).toBe("a".repeat(64));
		expect(commonNameOf(`Ana ${"a".repeat(60)} b`)).toBe(`Ana ${"a".repeat(60)}`);
		expect(commonNameOf(`Ana ${"a".repeat(60)}`)).toBe(`Ana ${"a".repeat(60)}`);
		expect(commonNameOf(`Ana  ${"a".repeat(64)}`)).toBe("Ana");
		expect(commonNameOf(` ${"a".repeat(70)}`)).toBe(` ${"a".repeat(63)}`);
	});
});

function ascii(text: string): string {
	return bytesToHex(new TextEncoder().encode(text));
}
