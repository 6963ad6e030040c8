import { AsnParser } from "@peculiar/asn1-schema";
import { Certificate, SubjectPublicKeyInfo } from "@peculiar/asn1-x509";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { AuthorityError } from "../../../src/x509/authority-error.ts";
import {
	createLocalSigner,
	decodeEcdsaSignature,
	encodeEcdsaSignature,
	verifyCertificateSignature,
	verifySignature,
} from "../../../src/x509/signatures.ts";
import { createP384Keys, exportKey } from "./p384-certificate.ts";

const SHA384_WITH_ECDSA = "1.2.840.10045.4.3.3";
const SHA256_WITH_ECDSA = "1.2.840.10045.4.3.2";
const SHA256_WITH_RSA = "1.2.840.113549.1.1.11";
const MD5_WITH_RSA = "1.2.840.113549.1.1.4";

let keys: CryptoKeyPair;
let pkcs8: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
	keys = await createP384Keys();
	pkcs8 = Uint8Array.fromBase64(await exportKey(keys)) as Uint8Array<ArrayBuffer>;
});
afterEach(() => vi.restoreAllMocks());

async function publicKeyOf({ publicKey }: CryptoKeyPair): Promise<SubjectPublicKeyInfo> {
	return AsnParser.parse(
		(await crypto.subtle.exportKey("spki", publicKey)) as ArrayBuffer,
		SubjectPublicKeyInfo,
	);
}

/** Replaces one run of octets, which must be there. */
function changed(from: string, to: string): Uint8Array {
	expect(pkcs8.toHex()).toContain(from);
	return Uint8Array.fromHex(pkcs8.toHex().replace(from, to));
}

describe("an authority's key", () => {
	test("cannot be read back once it is imported", async () => {
		const importKey = vi.spyOn(crypto.subtle, "importKey");
		await createLocalSigner(pkcs8);
		expect(importKey).toHaveBeenCalledOnce();
		expect(await importKey.mock.results[0]!.value).toMatchObject({ extractable: false, usages: ["sign"] });
	});

	const ID_EC_PUBLIC_KEY = "06072a8648ce3d0201";
	const ID_OTHER = "06072a8648ce3d0209";
	const P384 = "06052b81040022";
	const P521 = "06052b81040023";

	test.each<[string, () => Uint8Array, string]>([
		["its curve is P-521", () => changed(P384, P521), "the OCSP key is neither RSA nor P-384"],
		[
			"P-384 stands under another algorithm",
			() => changed(ID_EC_PUBLIC_KEY, ID_OTHER),
			"the OCSP key is neither RSA nor P-384",
		],
		[
			"its number is not framed right",
			() => changed("0201010430", "0201010431"),
			"the OCSP key cannot be read",
		],
	])("is refused when %s", async (_why, key, message) => {
		await expect(createLocalSigner(key(), "OCSP key")).rejects.toThrow(new AuthorityError(message));
	});
});

describe("a signature", () => {
	const text = new TextEncoder().encode("signed");

	test.each([SHA384_WITH_ECDSA, SHA256_WITH_ECDSA])(
		"of P-384 by %s verifies for its bytes only",
		async (oid) => {
			const hash = oid === SHA384_WITH_ECDSA ? "SHA-384" : "SHA-256";
			const raw = await crypto.subtle.sign({ name: "ECDSA", hash }, keys.privateKey, text);
			const signature = encodeEcdsaSignature(new Uint8Array(raw));
			const key = await publicKeyOf(keys);
			expect(await verifySignature(oid, key, signature, text)).toBe(true);
			expect(await verifySignature(oid, key, signature, text.subarray(1))).toBe(false);
			expect(await verifySignature(oid, key, new Uint8Array(raw), text)).toBe(false);
			for (const other of [SHA256_WITH_RSA, MD5_WITH_RSA])
				expect(await verifySignature(other, key, signature, text)).toBe(false);
		},
	);

	test("imports a public key once for each algorithm", async () => {
		const key = await publicKeyOf(keys);
		const signature = await (await createLocalSigner(pkcs8)).sign(text);
		const importKey = vi.spyOn(crypto.subtle, "importKey");
		for (const oid of [SHA384_WITH_ECDSA, SHA256_WITH_ECDSA, SHA384_WITH_ECDSA])
			await verifySignature(oid, key, signature, text);
		expect(importKey).toHaveBeenCalledTimes(2);
	});

	test("of a certificate that was not read from DER does not verify, not even over no bytes", async () => {
		const signatureValue = (await (await createLocalSigner(pkcs8)).sign(new Uint8Array())).slice().buffer;
		const certificate = new Certificate({ signatureValue: signatureValue as ArrayBuffer });
		certificate.signatureAlgorithm.algorithm = SHA384_WITH_ECDSA;
		expect(await verifyCertificateSignature(certificate, await publicKeyOf(keys))).toBe(false);
	});
});

describe("RFC 3279 §2.2.3: Ecdsa-Sig-Value of two numbers of two bytes", () => {
	test.each([
		["300702020102020100", "01020000"],
		["3008020201020202037f", "0102037f"],
		["300802030080010201ff", "800100ff"],
	])("%s is read as %s", (der, raw) => {
		expect(decodeEcdsaSignature(Uint8Array.fromHex(der), 2)?.toHex()).toBe(raw);
	});

	test.each([
		["is empty", ""],
		["is a SET", "3106020101020102"],
		["is longer than its length", "3005020101020102"],
		["is shorter than its length", "3007020101020102"],
		["has an OCTET STRING first", "3006040101020102"],
		["has an OCTET STRING second", "3006020101040102"],
		["has one number", "3003020101"],
		["ends after a number's tag", "300402010102"],
		["ends within its first number", "3006020501020102"],
		["ends within its second number", "3006020101020202"],
		["has a third number", "3009020101020102020103"],
		["has a number too large", "30080203010203020102"],
	])("null when it %s", (_why, der) => {
		expect(decodeEcdsaSignature(Uint8Array.fromHex(der), 2)).toBeNull();
	});
});
