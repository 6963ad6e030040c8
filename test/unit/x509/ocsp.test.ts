import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import "reflect-metadata";
import { hash as digest } from "node:crypto";
import { AsnParser, AsnSerializer } from "@peculiar/asn1-schema";
import { Certificate } from "@peculiar/asn1-x509";
import * as x509 from "@peculiar/x509";
import { beforeAll, describe, expect, test } from "vitest";
import { createOcspResponder } from "../../../scripts/create-ocsp-responder.ts";
import { AuthorityError } from "../../../src/x509/authority-error.ts";
import { DerError, DerReader, derNull, encodeInteger, encodeOid, frame, tag } from "../../../src/x509/der.ts";
import {
	type AuthoritySettings,
	type IssuingAuthority,
	loadIssuingAuthority,
} from "../../../src/x509/issuing-authority.ts";
import { parseOcspRequest } from "../../../src/x509/ocsp-request.ts";
import { loadOcspResponder, type OcspResponder } from "../../../src/x509/ocsp-responder.ts";
import { buildOcspResponse, encodeOcspError, isOurs } from "../../../src/x509/ocsp-response.ts";
import { encodeResponder, generateResponderKey } from "../../../src/x509/responder-certificate.ts";
import { frameSigned } from "../../../src/x509/signatures.ts";
import { createTestAuthority, createTestSettings, now } from "./test-authority.ts";

let settings: AuthoritySettings;
let authority: IssuingAuthority;
let responderSettings: { key: string; certificate: string };
let responder: OcspResponder;

beforeAll(async () => {
	settings = await createTestSettings();
	authority = await loadIssuingAuthority(settings);
	responderSettings = await createOcspResponder({ issuing: settings, now });
	responder = await loadOcspResponder(authority, responderSettings);
});

const SHA1 = "1.3.14.3.2.26";
const SHA256 = "2.16.840.1.101.3.4.2.1";
const NONCE = "1.3.6.1.5.5.7.48.1.2";
const SERIAL = "4F000000000000000000000000000001";

/** CRLReason as RFC 5280 §5.3.1 numbers it, in hex. */
const REASON_CODES = [
	["keyCompromise", "01"],
	["affiliationChanged", "03"],
	["superseded", "04"],
	["cessationOfOperation", "05"],
	["privilegeWithdrawn", "09"],
] as const;

/* An OCSP client written here, so that each part of a request can be made wrong. */

interface Question {
	serial?: Uint8Array;
	hash?: string;
	parameters?: Uint8Array;
	name?: Uint8Array;
	key?: Uint8Array;
	extensions?: Uint8Array[];
}

function certId({
	serial = hexToBytes(SERIAL),
	hash = SHA1,
	parameters = derNull,
	name,
	key,
}: Question = {}) {
	const { nameHash, keyHash } = responder.issuer[hash === SHA256 ? "SHA-256" : "SHA-1"];
	return frame(
		tag.sequence,
		frame(tag.sequence, encodeOid(hash), parameters),
		frame(tag.octetString, name ?? hexToBytes(nameHash)),
		frame(tag.octetString, key ?? hexToBytes(keyHash)),
		frame(tag.integer, serial),
	);
}

function question(parts: Question = {}) {
	const extensions = parts.extensions
		? [frame(tag.explicit(0), frame(tag.sequence, ...parts.extensions))]
		: [];
	return frame(tag.sequence, certId(parts), ...extensions);
}

function extension(oid: string, value: Uint8Array, critical = new Uint8Array()) {
	return frame(tag.sequence, encodeOid(oid), critical, frame(tag.octetString, value));
}

function nonce(length: number) {
	return extension(NONCE, frame(tag.octetString, new Uint8Array(length).fill(0xa5)));
}

interface Parts {
	version?: Uint8Array;
	questions?: Uint8Array[];
	extensions?: Uint8Array[];
	requestor?: Uint8Array;
	signature?: Uint8Array;
}

const NONE = new Uint8Array();

function request({
	version = NONE,
	questions = [question()],
	extensions,
	requestor = NONE,
	signature = NONE,
}: Parts = {}) {
	const extras = extensions ? frame(tag.explicit(2), frame(tag.sequence, ...extensions)) : NONE;
	const tbs = frame(tag.sequence, version, requestor, frame(tag.sequence, ...questions), extras);
	return frame(tag.sequence, tbs, signature);
}

const TRUE = new Uint8Array([0x01, 0x01, 0xff]);

describe("RFC 6960 §4.1.1: a request is parsed", () => {
	test.each([
		["SHA-1 with NULL parameters", { hash: SHA1 }],
		["SHA-1 without parameters", { hash: SHA1, parameters: NONE }],
		["SHA-256 with NULL parameters", { hash: SHA256 }],
		["SHA-256 without parameters", { hash: SHA256, parameters: NONE }],
	])("with %s", (_name, parts) => {
		const [only] = parseOcspRequest(request({ questions: [question(parts)] })).questions;
		expect(isOurs(responder, only!)).toBe(true);
	});

	test.each<[string, () => Question]>([
		["another name", () => ({ name: new Uint8Array(20) })],
		["another key", () => ({ key: new Uint8Array(20) })],
		["an unsupported hash", () => ({ hash: "2.16.840.1.101.3.4.2.3" })],
		["SHA-1 hashes labelled as SHA-256", () => ({ ...namedLike("SHA-1"), hash: SHA256 })],
	])("a certificate of %s is not one of the authority's", (_name, parts) => {
		const [only] = parseOcspRequest(request({ questions: [question(parts())] })).questions;
		expect(isOurs(responder, only!)).toBe(false);
	});
});

test("RFC 9654 §2.1: a nonce marked critical is accepted", () => {
	const value = frame(tag.octetString, new Uint8Array(8));
	expect(parseOcspRequest(request({ extensions: [extension(NONCE, value, TRUE)] })).nonce).toHaveLength(10);
});

test.each<[string, () => Uint8Array]>([
	["no question", () => request({ questions: [] })],
	["version 2", () => request({ version: frame(tag.explicit(0), encodeInteger(1)) })],
	["an unknown critical extension", () => request({ extensions: [extension("1.2.3.4", derNull, TRUE)] })],
	[
		"a critical extension of one question",
		() => request({ questions: [question({ extensions: [extension("1.2.3.4", derNull, TRUE)] })] }),
	],
	["an empty serial", () => request({ questions: [question({ serial: new Uint8Array() })] })],
	[
		"a hash with unexpected parameters",
		() => request({ questions: [question({ parameters: frame(tag.integer, new Uint8Array(1)) })] }),
	],
	...(
		[
			["a nonce without its own OCTET STRING", () => [extension(NONCE, new Uint8Array(16))]],
			["a nonce with trailing bytes", () => [extension(NONCE, hexToBytes("0401aa00"))]],
			["a nonce sent twice", () => [nonce(16), nonce(16)]],
		] as [string, () => Uint8Array[]][]
	).map(([name, make]): [string, () => Uint8Array] => [name, () => request({ extensions: make() })]),
])("RFC 6960 §4.1: %s is refused as malformed", (_name, make) => {
	expect(() => parseOcspRequest(make())).toThrow(DerError);
});

describe("RFC 6960 §4.2.1: a response", () => {
	const nextUpdate = new Date("2026-11-20T13:00:00Z");
	const build = (
		der: Uint8Array,
		status: Parameters<typeof buildOcspResponse>[1]["answers"][number]["status"],
	) => {
		const { questions, nonce: sent } = parseOcspRequest(der);
		const answers = questions.map((asked) => ({ question: asked, status }));
		return buildOcspResponse(responder, { answers, nonce: sent, now, nextUpdate });
	};
	/** The encoded tbsResponseData, and the rest of the BasicOCSPResponse. */
	const open = (response: Uint8Array) => {
		const outer = new DerReader(response).enter(tag.sequence);
		expect(outer.read(tag.enumerated)).toEqual(new Uint8Array([0]));
		const bytes = outer.enter(tag.explicit(0)).enter(tag.sequence);
		expect(bytesToHex(bytes.readWhole(tag.oid))).toBe(bytesToHex(encodeOid("1.3.6.1.5.5.7.48.1.1")));
		const basic = new DerReader(bytes.read(tag.octetString)).enter(tag.sequence);
		const tbs = basic.readWhole(tag.sequence);
		basic.read(tag.sequence);
		const signature = basic.read(tag.bitString).subarray(1);
		const certificate = basic.enter(tag.explicit(0)).enter(tag.sequence).readWhole(tag.sequence);
		basic.end();
		return { tbs, signature, certificate };
	};

	test("is signed by the responder and includes its certificate", async () => {
		const { tbs, signature, certificate } = open(await build(request(), { kind: "good" }));
		expect(bytesToHex(certificate)).toBe(bytesToHex(responder.certificate));
		const key = await new x509.X509Certificate(certificate as BufferSource).publicKey.export();
		expect(await crypto.subtle.verify("RSASSA-PKCS1-v1_5", key, signature, tbs)).toBe(true);
	});

	test("repeats the bytes of the CertID, and the nonce", async () => {
		const odd = certId({ hash: SHA256, parameters: NONE });
		const der = request({ questions: [frame(tag.sequence, odd)], extensions: [nonce(32)] });
		const text = bytesToHex(open(await build(der, { kind: "good" })).tbs);
		expect(text).toContain(bytesToHex(odd));
		expect(text).toContain(bytesToHex(nonce(32)));
	});

	test("says good, unknown, or revoked with time and reason; the reason is omitted when unspecified", async () => {
		const at = new Date("2026-11-19T08:07:06Z");
		const tbsOf = async (status: Parameters<typeof build>[1]) =>
			bytesToHex(open(await build(request(), status)).tbs);
		const time = bytesToHex(frame(tag.generalizedTime, new TextEncoder().encode("20261119080706Z")));
		expect(await tbsOf({ kind: "good" })).toContain(`${bytesToHex(certId())}8000180f`);
		expect(await tbsOf({ kind: "unknown" })).toContain(`${bytesToHex(certId())}8200180f`);
		for (const [reason, code] of REASON_CODES) {
			const revoked = await tbsOf({ kind: "revoked", at, reason });
			expect(revoked).toContain(`${bytesToHex(certId())}a116${time}a0030a01${code}`);
		}
		const unspecified = await tbsOf({ kind: "revoked", at, reason: "unspecified" });
		expect(unspecified).toContain(`${bytesToHex(certId())}a111${time}180f`);
	});

	test.each([
		["malformedRequest", "30030a0101"],
		["internalError", "30030a0102"],
		["tryLater", "30030a0103"],
		["unauthorized", "30030a0106"],
	] as const)("with the error %s is not signed", (error, der) => {
		expect(bytesToHex(encodeOcspError(error))).toBe(der);
	});
});

test("RFC 6960 §4.1.1: a responder answers for its authority's name and key, by SHA-1 and SHA-256", async () => {
	const { rawData } = new x509.X509Certificate(settings.certificate);
	const { subject, subjectPublicKeyInfo } = AsnParser.parse(rawData, Certificate).tbsCertificate;
	const hashes = (algorithm: string) => ({
		nameHash: digest(algorithm, new Uint8Array(AsnSerializer.serialize(subject))),
		keyHash: digest(algorithm, new Uint8Array(subjectPublicKeyInfo.subjectPublicKey)),
	});
	const { issuer } = await loadOcspResponder(authority, responderSettings);
	expect(issuer).toEqual({ "SHA-1": hashes("sha1"), "SHA-256": hashes("sha256") });
});

test.each(["rsa-3072", "p-384"] as const)(
	"RFC 6960 §4.2.2.2: a responder's certificate from the issuing key serves, and says no more than it must (%s)",
	async (keyType) => {
		const by = await createTestAuthority(keyType);
		const { spki: publicKey, pkcs8 } = await generateResponderKey(by.signer.algorithm);
		const notAfter = new Date("2026-11-27T12:00:00Z");
		const serial = Uint8Array.of(0x41, 0x42);
		const tbs = await encodeResponder(by, { serial, publicKey, notBefore: now, notAfter });
		const { signature } = await by.signer.sign("ocsp-responders", tbs);
		const der = frameSigned(by.signer, tbs, signature);
		const loaded = await loadOcspResponder(by, { key: pkcs8.toBase64(), certificate: der.toBase64() });
		expect(loaded.notAfter).toEqual(notAfter);
		const read = new x509.X509Certificate(der as BufferSource);
		expect([read.serialNumber, read.notBefore]).toEqual(["4142", now]);
		const issuer = new x509.X509Certificate(by.certificate as BufferSource);
		expect(read.subject).toBe(issuer.subject.replace(" Issuing CA", " OCSP"));
		expect(read.extensions.map(({ type, critical }) => [type, critical])).toEqual([
			["2.5.29.19", true],
			["2.5.29.15", true],
			["2.5.29.37", false],
			["1.3.6.1.5.5.7.48.1.5", false],
			["2.5.29.14", false],
			["2.5.29.35", false],
		]);
		expect(read.getExtension(x509.KeyUsagesExtension)!.usages).toBe(x509.KeyUsageFlags.digitalSignature);
		expect(read.getExtension(x509.AuthorityKeyIdentifierExtension)!.keyId).toBe(bytesToHex(by.subjectKeyId));
		const own = await x509.SubjectKeyIdentifierExtension.create(read.publicKey);
		expect(read.getExtension(x509.SubjectKeyIdentifierExtension)!.keyId).toBe(own.keyId);
		expect(read.publicKey.algorithm).toMatchObject(
			keyType === "p-384" ? { namedCurve: "P-384" } : { modulusLength: 2048 },
		);
	},
);

describe("RFC 6960 §4.2.2.2: a responder is refused when", () => {
	const { digitalSignature, cRLSign } = x509.KeyUsageFlags;
	const NOCHECK = new x509.Extension("1.3.6.1.5.5.7.48.1.5", false, derNull);
	const SIGNING = new x509.ExtendedKeyUsageExtension(["1.3.6.1.5.5.7.3.9"]);
	const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", publicExponent: new Uint8Array([1, 0, 1]) };

	/** A responder as the script makes it, with the differences that a test gives. */
	async function make(
		extensions: x509.Extension[],
		{ bits = 2048, issuer }: { bits?: number; issuer?: string } = {},
	): Promise<{ key: string; certificate: string }> {
		const rsa = { ...algorithm, modulusLength: bits };
		const keys = (await crypto.subtle.generateKey(rsa, true, ["sign", "verify"])) as CryptoKeyPair;
		const pkcs8 = Uint8Array.fromBase64(settings.key);
		const signingKey = await crypto.subtle.importKey("pkcs8", pkcs8, rsa, false, ["sign"]);
		const certificate = await x509.X509CertificateGenerator.create({
			subject: "CN=TEST OCSP",
			issuer: issuer ?? new x509.X509Certificate(settings.certificate).subjectName,
			publicKey: keys.publicKey,
			signingKey,
			signingAlgorithm: rsa,
			extensions,
		});
		const exported = new Uint8Array((await crypto.subtle.exportKey("pkcs8", keys.privateKey)) as ArrayBuffer);
		return { key: exported.toBase64(), certificate: new Uint8Array(certificate.rawData).toBase64() };
	}

	async function refusal(of: { key: string; certificate: string }, by = authority): Promise<string> {
		const error = await loadOcspResponder(by, of).catch((thrown) => thrown);
		expect(error).toBeInstanceOf(AuthorityError);
		return error.message;
	}

	test("its key is not PKCS#8, or its certificate is not DER", async () => {
		expect(await refusal({ ...responderSettings, key: "AAAA" })).toBe("the OCSP key is not PKCS#8");
		const text = "not base64!";
		expect(await refusal({ ...responderSettings, key: text })).toBe("the OCSP key is not base64");
		expect(await refusal({ ...responderSettings, certificate: text })).toBe(
			"the OCSP certificate is not base64",
		);
		expect(await refusal({ ...responderSettings, certificate: "AAAA" })).toBe(
			"the OCSP certificate is not a DER certificate",
		);
	});

	test("its key belongs to another certificate", async () => {
		const { key } = await make([SIGNING, NOCHECK]);
		expect(await refusal({ ...responderSettings, key })).toBe(
			"the OCSP key does not belong to the OCSP certificate",
		);
	});

	test("it is signed by another authority of the same name", async () => {
		const other = await createTestSettings();
		const foreign = await createOcspResponder({ issuing: other, now });
		expect(await refusal(foreign)).toBe("the OCSP certificate is not signed by the issuing key");
	});

	test.each<[string, () => Parameters<typeof make>, string]>([
		[
			"its issuer has another name",
			() => [[SIGNING, NOCHECK], { issuer: "CN=Other" }],
			"names another issuer",
		],
		[
			"it may not sign OCSP",
			() => [[new x509.KeyUsagesExtension(digitalSignature), NOCHECK]],
			"lacks the extended key usage",
		],
		["it would have to be checked itself", () => [[SIGNING]], "lacks id-pkix-ocsp-nocheck"],
		[
			"it is a CA",
			() => [
				[new x509.BasicConstraintsExtension(true), new x509.KeyUsagesExtension(cRLSign), SIGNING, NOCHECK],
			],
			"is a CA",
		],
		["its RSA key is of 1,024 bits", () => [[SIGNING, NOCHECK], { bits: 1024 }], "shorter than 2048 bits"],
	])("%s", async (_why, parts, message) => {
		expect(await refusal(await make(...parts()))).toContain(message);
	});

	test("an expired one is not refused: issuing must not stop for it", async () => {
		const old = await createOcspResponder({ issuing: settings, now: new Date("2020-01-01T00:00:00Z") });
		expect((await loadOcspResponder(authority, old)).notAfter).toEqual(new Date("2021-01-01T00:00:00Z"));
	});
});

function namedLike(hash: "SHA-1" | "SHA-256"): Question {
	const { nameHash, keyHash } = responder.issuer[hash];
	return { name: hexToBytes(nameHash), key: hexToBytes(keyHash) };
}
