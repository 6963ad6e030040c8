import { bytesToHex } from "@noble/hashes/utils.js";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { AuthorityError } from "../../../src/x509/authority-error.ts";
import { type AuthoritySigner, signElsewhere } from "../../../src/x509/authority-signer.ts";
import { readCommonName } from "../../../src/x509/check-authority.ts";
import { serialize } from "../../../src/x509/der.ts";
import { type AuthoritySettings, loadIssuingAuthority } from "../../../src/x509/issuing-authority.ts";
import { encodeCertificateBag } from "../../../src/x509/pfx.ts";
import {
	CA,
	CA_OF_LEAVES,
	createP384Keys,
	exportKey,
	makeCertificate,
	SIGNS_ALL,
} from "./p384-certificate.ts";
import { createTestSettings } from "./test-authority.ts";

let settings: AuthoritySettings;
let other: AuthoritySettings;

beforeAll(async () => {
	settings = await createTestSettings();
	other = await createTestSettings("p-384");
});

test("an authority's addresses are plain http and named after its key", async () => {
	const authority = await loadIssuingAuthority(settings);
	const keyId = bytesToHex(authority.subjectKeyId);
	expect(keyId).toMatch(/^[0-9a-f]{40}$/);
	expect(authority.crlUrl).toBe(`http://pki.example.cl/pki/${keyId}/crl`);
	expect(authority.ocspUrl).toBe(`http://pki.example.cl/pki/${keyId}/ocsp`);
	expect(authority.caIssuersUrl).toBe(`http://pki.example.cl/pki/${keyId}/cer`);
	expect(authority.notAfter).toEqual(new Date("2036-11-20T12:00:00Z"));
});

test("an authority issues while both it and its root are valid, and gives both to the holder", async () => {
	const rootKeys = await createP384Keys();
	const keys = await createP384Keys();
	const pki = [CA_OF_LEAVES, SIGNS_ALL, await x509.SubjectKeyIdentifierExtension.create(keys.publicKey)];
	const [early, soon, late] = ["2020-01-01", "2026-01-01", "2030-01-01"].map((day) => new Date(day)) as [
		Date,
		Date,
		Date,
	];
	const load = async (root: [Date, Date], issuing: [Date, Date]) => {
		const [of, by] = [issuing, root].map(([notBefore, notAfter]) => ({ notBefore, notAfter }));
		const rootDer = serialize(await makeCertificate({ keys: rootKeys, extensions: [CA], ...by }));
		const der = serialize(
			await makeCertificate({
				keys,
				signedBy: rootKeys,
				subject: new x509.Name([{ O: [{ printableString: "TEST" }] }]),
				extensions: pki,
				...of,
			}),
		);
		const authority = await loadIssuingAuthority({
			...settings,
			key: `\ufeff${await exportKey(keys)}\n`,
			certificate: der.toBase64(),
			root: rootDer.toBase64(),
		});
		expect(authority.chainBags).toEqual([encodeCertificateBag(der), encodeCertificateBag(rootDer)]);
		return [authority.notBefore, authority.notAfter];
	};
	expect(await load([early, late], [soon, late])).toEqual([soon, late]);
	expect(await load([soon, late], [early, late])).toEqual([soon, late]);
	expect(await load([early, soon], [early, late])).toEqual([early, soon]);
});

test("an authority's common name is read so that prod can refuse TEST", async () => {
	const { commonName } = await loadIssuingAuthority(settings);
	expect(commonName).toBe("TEST Partner Certificates Issuing CA");
});

test("a certificate without a common name has an empty one", async () => {
	const certificate = await makeCertificate({ keys: await createP384Keys(), subject: "O=TEST" });
	expect(readCommonName(certificate)).toBe("");
});

test.each(["rsa-3072", "p-384"] as const)(
	"an authority whose key is elsewhere is as one whose key is here, and nobody is asked (%s)",
	async (keyType) => {
		const { key, ...elsewhere } = await createTestSettings(keyType);
		const here = await loadIssuingAuthority({ ...elsewhere, key });
		const sign = vi.fn<AuthoritySigner["sign"]>();
		const authority = await loadIssuingAuthority({ ...elsewhere, signer: signElsewhere(sign) });
		expect(authority).toEqual({ ...here, signer: { ...here.signer, sign } });
		expect(sign).not.toHaveBeenCalled();
	},
);

describe("an authority is refused when", () => {
	const NO_TEXT = "not base64!";

	test.each<[string, () => Partial<AuthoritySettings>, string]>([
		[
			"its key is another's",
			() => ({ key: other.key }),
			"issuing key does not belong to the issuing certificate",
		],
		["its key is not base64", () => ({ key: NO_TEXT }), "issuing key is not base64"],
		["its key is not PKCS#8", () => ({ key: "AAAA" }), "issuing key is not PKCS#8"],
		[
			"its certificate is not DER",
			() => ({ certificate: "AAAA" }),
			"issuing certificate is not a DER certificate",
		],
		["its certificate is not base64", () => ({ certificate: NO_TEXT }), "issuing certificate is not base64"],
		["its root is not base64", () => ({ root: NO_TEXT }), "root certificate is not base64"],
		["its root is not DER", () => ({ root: "AAAA" }), "root certificate is not a DER certificate"],
		["it is the root", () => ({ certificate: settings.root }), "issuing certificate's path length is not 0"],
		[
			"its PKI URL is https",
			() => ({ pkiUrl: "https://pki.example.cl/pki" }),
			"PKI URL is not a plain http URL",
		],
	])("%s", async (_why, difference, message) => {
		const error = await loadIssuingAuthority({ ...settings, ...difference() }).catch((thrown) => thrown);
		expect(error).toBeInstanceOf(AuthorityError);
		expect(error.message).toBe(`the ${message}`);
	});

	const { keyCertSign, cRLSign } = x509.KeyUsageFlags;
	const ca = (pathLength?: number) => new x509.BasicConstraintsExtension(true, pathLength, true);
	const usages = (flags: number) => new x509.KeyUsagesExtension(flags, true);

	const signs = usages(keyCertSign | cRLSign);
	const keyId = new x509.SubjectKeyIdentifierExtension("0123456789abcdef");

	test.each<[string, x509.Extension[], string, modulusLength?: number]>([
		["without a subject key identifier", [ca(0), signs], "certificate has no subject key identifier"],
		["of an RSA key of 2,048 bits", [ca(0), signs], "RSA key is shorter than 3072 bits", 2048],
		["of a UTF8String name", [ca(0), signs, keyId], "certificate's name is not PrintableString throughout"],
	])("its certificate is %s", async (_why, extensions, fault, modulusLength = 3072) => {
		const algorithm = { ...rsa, modulusLength };
		const keys = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
		// Self-signed, so that no check of the root fails before the check under test.
		const certificate = await x509.X509CertificateGenerator.createSelfSigned({
			name: "CN=TÉST", // not PrintableString; the name is checked last
			keys,
			signingAlgorithm: algorithm,
			extensions,
		});
		const text = btoa(String.fromCharCode(...new Uint8Array(certificate.rawData)));
		const pkcs8 = new Uint8Array((await crypto.subtle.exportKey("pkcs8", keys.privateKey)) as ArrayBuffer);
		const key = btoa(String.fromCharCode(...pkcs8));
		for (const place of [{ key }, { signer: signElsewhere(vi.fn()) }]) {
			const given = { ...settings, ...place, certificate: text, root: text };
			const error = await loadIssuingAuthority(given).catch((e) => e);
			expect(error).toBeInstanceOf(AuthorityError);
			expect(error.message).toBe(`the issuing ${fault}`);
		}
	});
});

const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", publicExponent: new Uint8Array([1, 0, 1]) };
