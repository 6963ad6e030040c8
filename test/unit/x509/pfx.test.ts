import { createHash } from "node:crypto";
import { bytesToHex } from "@noble/hashes/utils.js";
import { AuthenticatedSafe, PFX, PKCS8ShroudedKeyBag, SafeContents } from "@peculiar/asn1-pfx";
import { AsnParser, OctetString } from "@peculiar/asn1-schema";
import forge from "node-forge";
import { beforeAll, describe, expect, test } from "vitest";
import { serialize } from "../../../src/x509/der.ts";
import { generateHolderKeyPair, type KeyAlgorithm } from "../../../src/x509/holder-key.ts";
import { type IssueInput, issueCertificate } from "../../../src/x509/issue-certificate.ts";
import type { IssuingAuthority } from "../../../src/x509/issuing-authority.ts";
import type { PfxProfile } from "../../../src/x509/pfx.ts";
import { checkMacWithPkijs, openWithForge, openWithPkijs } from "../../interop/pfx-library-openers.ts";
import { createTestAuthority, issueInput, maria, pin } from "./test-authority.ts";

let authority: IssuingAuthority;
const pairs = new Map<KeyAlgorithm, CryptoKeyPair>();

beforeAll(async () => {
	authority = await createTestAuthority();
	for (const algorithm of ["rsa-2048", "ec-p256"] as const) {
		pairs.set(algorithm, await generateHolderKeyPair(algorithm));
	}
});

async function issue(
	pfxProfile: PfxProfile,
	keyAlgorithm: KeyAlgorithm,
	differences: Partial<IssueInput> = {},
) {
	const keyPair = pairs.get(keyAlgorithm)!;
	const input = issueInput({ pfxProfile, keyAlgorithm, keyPair, ...differences });
	const result = await issueCertificate(authority, input);
	if (!result.ok) throw new Error(result.failures.join("; "));
	return {
		...result,
		pkcs8: new Uint8Array((await crypto.subtle.exportKey("pkcs8", keyPair.privateKey)) as ArrayBuffer),
	};
}

const chain = (leaf: Uint8Array) => [leaf, authority.certificate, authority.root];

test.each(["rsa-2048", "ec-p256"] as const)(
	"the modern PFX with %s opens in PKI.js",
	async (keyAlgorithm) => {
		const { leaf, pfx, pkcs8 } = await issue("modern", keyAlgorithm);
		const opened = await openWithPkijs(pfx, pin);
		expect(opened.certificates).toEqual(chain(leaf));
		expect(opened.pkcs8).toEqual(pkcs8);
		expect(opened.friendlyName).toBe(maria.fullName);
	},
);

test.each(["rsa-2048", "ec-p256"] as const)(
	"the legacy PFX with %s has a MAC that PKI.js verifies; PKI.js has no 3DES to open it",
	async (keyAlgorithm) => {
		const { pfx } = await issue("legacy", keyAlgorithm);
		expect(await checkMacWithPkijs(pfx, pin)).toBe(true);
	},
);

describe.each(["modern", "legacy"] as const)("the %s PFX", (profile) => {
	test("with RSA opens in node-forge", async () => {
		const { leaf, pfx, pkcs8 } = await issue(profile, "rsa-2048");
		expect(openWithForge(pfx, pin)).toEqual({
			certificates: chain(leaf),
			pkcs8,
			friendlyName: maria.fullName,
		});
	});

	test("friendlyName contains the whole name, also over 64 characters", {
		tags: ["long-name-friendly-name"],
	}, async () => {
		const fullName = "MARÍA DE LOS ÁNGELES INMACULADA CONCEPCIÓN ÑANCUPIL FERNÁNDEZ-VALDERRAMA DE LA FUENTE";
		expect(fullName.length).toBeGreaterThan(64);
		const { pfx } = await issue(profile, "rsa-2048", { holder: { ...maria, fullName } });
		expect(openWithForge(pfx, pin).friendlyName).toBe(fullName);
		if (profile === "modern") expect((await openWithPkijs(pfx, pin)).friendlyName).toBe(fullName);
	});

	test("leaf and key have the leaf's SHA-1 as localKeyID and the holder's name; the chain has no attributes", async () => {
		const { leaf, pfx } = await issue(profile, "rsa-2048");
		const label = {
			localKeyId: [createHash("sha1").update(leaf).digest().toString("latin1")],
			friendlyName: [maria.fullName],
		};
		const { safeContents } = forge.pkcs12.pkcs12FromAsn1(
			forge.asn1.fromDer(Buffer.from(pfx).toString("latin1")),
			pin,
		);
		const attributes = safeContents.map(({ safeBags }) => safeBags.map((bag) => ({ ...bag.attributes })));
		expect(attributes).toEqual([[label, {}, {}], [label]]);
	});

	test("does not open with another PIN", async () => {
		const { pfx } = await issue(profile, "rsa-2048");
		expect(() => openWithForge(pfx, "4712")).toThrow();
		expect(await checkMacWithPkijs(pfx, "4712")).toBe(false);
	});

	test("has an encrypted SafeContents first and the shrouded key alone in the second", async () => {
		const { contentTypes, bagIds } = readPfx((await issue(profile, "ec-p256")).pfx);
		expect(contentTypes).toEqual(["1.2.840.113549.1.7.6", "1.2.840.113549.1.7.1"]);
		expect(bagIds).toEqual(["1.2.840.113549.1.12.10.1.2"]);
	});

	test("is protected with the profile's algorithms and rounds", async () => {
		const { certificates, key, mac } = readPfx((await issue(profile, "ec-p256")).pfx);
		expect(key).toMatch(new RegExp(`^${protection[profile]}$`));
		expect(certificates).toMatch(
			new RegExp(`^3082....0201003082....06092a864886f70d010701${protection[profile]}80`),
		);
		expect(mac.hash).toBe(profile === "modern" ? "2.16.840.1.101.3.4.2.1" : "1.3.14.3.2.26");
		expect(mac.rounds).toBe(2048);
		expect(mac.salt).toMatch(/^[0-9a-f]{16}$/);
	});

	test("has fresh salts and IVs in every file, and in each of its two parts", async () => {
		const files = [await issue(profile, "ec-p256"), await issue(profile, "ec-p256")].map(({ pfx }) =>
			readPfx(pfx),
		);
		const salts = files.flatMap(({ certificates, key, mac }) => [
			...saltsIn(certificates),
			...saltsIn(key),
			mac.salt,
		]);
		expect(salts).toHaveLength(profile === "modern" ? 10 : 6);
		expect(new Set(salts).size).toBe(salts.length);
	});
});

/** DER of the AlgorithmIdentifiers, in hex; the groups are salt and, with PBES2, IV. */
const protection = {
	// PBES2: PBKDF2 (salt, 2,048 rounds, hmacWithSHA256), aes256-CBC (IV).
	modern:
		"305f06092a864886f70d01050d3052303106092a864886f70d01050c30240410([0-9a-f]{32})02020800" +
		"300c06082a864886f70d02090500301d060960864801650304012a0410([0-9a-f]{32})",
	// pbeWithSHAAnd3-KeyTripleDES-CBC: salt, 2,048 rounds.
	legacy: "301c060a2a864886f70d010c0103300e0408([0-9a-f]{16})02020800",
};

function saltsIn(hex: string): string[] {
	const found = new RegExp(`${protection.modern}|${protection.legacy}`).exec(hex);
	return found?.slice(1).filter((group) => group !== undefined) ?? [];
}

/** The unencrypted parts of a PFX; algorithms as hex of their DER. */
function readPfx(pfx: Uint8Array) {
	const { authSafe, macData } = AsnParser.parse(pfx, PFX);
	const safes = AsnParser.parse(AsnParser.parse(authSafe.content, OctetString).buffer, AuthenticatedSafe);
	const bags = AsnParser.parse(AsnParser.parse(safes[1]!.content, OctetString).buffer, SafeContents);
	const shrouded = AsnParser.parse(bags[0]!.bagValue, PKCS8ShroudedKeyBag);
	return {
		contentTypes: safes.map(({ contentType }) => contentType),
		bagIds: bags.map(({ bagId }) => bagId),
		certificates: bytesToHex(new Uint8Array(safes[0]!.content)),
		key: bytesToHex(serialize(shrouded.encryptionAlgorithm)),
		mac: {
			hash: macData.mac.digestAlgorithm.algorithm,
			salt: bytesToHex(new Uint8Array(macData.macSalt.buffer)),
			rounds: macData.iterations,
		},
	};
}
