import { AsnParser } from "@peculiar/asn1-schema";
import { Certificate, type TBSCertificate } from "@peculiar/asn1-x509";
import { beforeAll, expect, test } from "vitest";
import { serialize } from "../../../src/x509/der.ts";
import { exportKeyPair, generateHolderKeyPair, type KeyAlgorithm } from "../../../src/x509/holder-key.ts";
import type { IssuingAuthority } from "../../../src/x509/issuing-authority.ts";
import type { LeafExpectation } from "../../../src/x509/leaf-expectation.ts";
import { lintLeaf } from "../../../src/x509/lint-leaf.ts";
import { buildLeaf, createTestAuthority, issueInput } from "./test-authority.ts";

type AuthorityKey = "rsa-3072" | "p-384";

const authorities = {} as Record<AuthorityKey, IssuingAuthority>;
const keys = {} as Record<KeyAlgorithm, Uint8Array>;

beforeAll(async () => {
	for (const type of ["rsa-3072", "p-384"] as const) authorities[type] = await createTestAuthority(type);
	for (const type of ["rsa-2048", "ec-p256"] as const)
		keys[type] = (await exportKeyPair(await generateHolderKeyPair(type))).spki;
});

function expectation(
	keyAlgorithm: KeyAlgorithm,
	differences: Partial<LeafExpectation> = {},
): LeafExpectation {
	const { serial, notBefore, notAfter, holder } = issueInput();
	return { serial, notBefore, notAfter, holder, keyAlgorithm, publicKey: keys[keyAlgorithm], ...differences };
}

/** The failures of a leaf that was built as expected, changed, and signed again. */
async function lintChanged(
	authority: IssuingAuthority,
	expected: LeafExpectation,
	change: (tbs: TBSCertificate, certificate: Certificate) => void,
): Promise<string[]> {
	const certificate = AsnParser.parse(await buildLeaf(authority, expected), Certificate);
	change(certificate.tbsCertificate, certificate);
	const tbs = serialize(certificate.tbsCertificate);
	const { signature } = await authority.signer.sign("certificates", tbs);
	certificate.signatureValue = Uint8Array.from(signature).buffer;
	const publicKey = serialize(certificate.tbsCertificate.subjectPublicKeyInfo);
	return lintLeaf(authority, serialize(certificate), { ...expected, publicKey });
}

test.each([
	["rsa-3072", "rsa-2048"],
	["rsa-3072", "ec-p256"],
	["p-384", "rsa-2048"],
	["p-384", "ec-p256"],
] as const)("an authority of %s and a holder's key of %s: no failures", async (issuer, key) => {
	const authority = authorities[issuer];
	const expected = expectation(key);
	expect(await lintLeaf(authority, await buildLeaf(authority, expected), expected)).toEqual([]);
});

const INSIDE = "signature algorithm: differs inside";
const OUTSIDE = "signature algorithm: not the authority's";

test.each([
	["RFC 4055 §5: RSA without its NULL", "rsa-3072", "1.2.840.113549.1.1.11", undefined],
	["SHA-384 with RSA", "rsa-3072", "1.2.840.113549.1.1.12", null],
	["RFC 5758 §3.2: ECDSA with parameters", "p-384", "1.2.840.10045.4.3.3", null],
	["SHA-256 with ECDSA", "p-384", "1.2.840.10045.4.3.2", undefined],
] as const)("%s is refused, inside and outside", async (_, issuer, algorithm, parameters) => {
	const expected = expectation("ec-p256");
	const inside = await lintChanged(authorities[issuer], expected, ({ signature }) => {
		Object.assign(signature, { algorithm, parameters });
	});
	expect(inside).toContain(INSIDE);
	expect(inside).not.toContain(OUTSIDE);
	const outside = await lintChanged(authorities[issuer], expected, (_tbs, { signatureAlgorithm }) => {
		Object.assign(signatureAlgorithm, { algorithm, parameters });
	});
	expect(outside).toContain(OUTSIDE);
	expect(outside).not.toContain(INSIDE);
});

const WRONG_KEY = "public key: not of the algorithm asked for";

test.each([
	["rsa-2048", "RSASSA-PSS", { algorithm: "1.2.840.113549.1.1.10" }],
	["ec-p256", "an algorithm of another name", { algorithm: "1.3.132.1.12" }],
	[
		"ec-p256",
		"another curve",
		{ parameters: Uint8Array.of(0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22).buffer },
	],
	["ec-p256", "no curve", { parameters: undefined }],
] as const)("a key asked for as %s that is of %s is refused", async (key, _, difference) => {
	const failures = await lintChanged(authorities["p-384"], expectation(key), (tbs) => {
		Object.assign(tbs.subjectPublicKeyInfo.algorithm, difference);
	});
	expect(failures).toEqual([WRONG_KEY]);
});

test.each(["rsa-2048", "ec-p256"] as const)(
	"a key of %s with a byte more or less is refused",
	async (key) => {
		for (const change of [
			(bits: Uint8Array) => [...bits, 0],
			(bits: Uint8Array) => [0, ...bits],
			(bits: Uint8Array) => [...bits.subarray(1)],
			(bits: Uint8Array) => [...bits.subarray(0, -1)],
		]) {
			const failures = await lintChanged(
				authorities["p-384"],
				expectation(key),
				({ subjectPublicKeyInfo }) => {
					const bits = change(new Uint8Array(subjectPublicKeyInfo.subjectPublicKey));
					subjectPublicKeyInfo.subjectPublicKey = Uint8Array.from(bits).buffer;
				},
			);
			expect(failures).toContain(WRONG_KEY);
		}
	},
);

test.each(["issuerUniqueID", "subjectUniqueID"] as const)(
	"RFC 5280 §4.1.2.8: %s is refused",
	async (field) => {
		const failures = await lintChanged(authorities["p-384"], expectation("ec-p256"), (tbs) => {
			tbs[field] = Uint8Array.of(1).buffer;
		});
		expect(failures).toEqual(["unique identifiers: present"]);
	},
);

const NOON = new Date("2026-11-20T12:00:00Z");
const BACKWARDS = ["validity: ends before it begins"];

test.each([
	["a second after it begins", 1_000, []],
	["when it begins", 0, BACKWARDS],
	["before it begins", -1_000, BACKWARDS],
] as const)("a leaf that ends %s", async (_, lasts, failures) => {
	const authority = authorities["p-384"];
	const notAfter = new Date(NOON.getTime() + lasts);
	const expected = expectation("ec-p256", { notBefore: NOON, notAfter });
	expect(await lintLeaf(authority, await buildLeaf(authority, expected), expected)).toEqual(failures);
});

test("a leaf may end with its authority, and not a second later", async () => {
	const authority = authorities["p-384"];
	for (const [later, failures] of [
		[0, []],
		[1_000, ["notAfter: later than the authority's own"]],
	] as const) {
		const notAfter = new Date(authority.notAfter.getTime() + later);
		const expected = expectation("ec-p256", { notAfter });
		expect(await lintLeaf(authority, await buildLeaf(authority, expected), expected)).toEqual(failures);
	}
});

test.each([
	[0x01, []],
	[0x7f, []],
	[0x00, ["serial: not 16 positive bytes"]],
	[0x80, ["serial: not 16 positive bytes"]],
	[0xff, ["serial: not 16 positive bytes"]],
])("RFC 5280 §4.1.2.2: a serial whose first byte is %i", async (first, failures) => {
	const authority = authorities["p-384"];
	const serial = Uint8Array.from({ length: 16 }, (_, i) => (i === 0 ? first : 0x91));
	const expected = expectation("ec-p256", { serial });
	expect(await lintLeaf(authority, await buildLeaf(authority, expected), expected)).toEqual(failures);
});
