import { bytesToHex } from "@noble/hashes/utils.js";
import { AsnParser } from "@peculiar/asn1-schema";
import { type AlgorithmIdentifier, Certificate, type Time, type Validity } from "@peculiar/asn1-x509";
import { serialize } from "./der.ts";
import type { KeyAlgorithm } from "./holder-key.ts";
import type { AuthorityExpectation, LeafExpectation } from "./leaf-expectation.ts";
import { lintExtensions } from "./lint-extensions.ts";
import { lintSubject } from "./lint-subject.ts";
import { signatureOid, verifySignature } from "./signatures.ts";

const RSA_ENCRYPTION = "1.2.840.113549.1.1.1";

/** Parsed certificate, and its name as DER, by the authority's DER. */
const parsedAuthorities = new WeakMap<Uint8Array, { issuer: Certificate; name: Uint8Array }>();

/**
 * Parses a leaf and compares all of it but the signature with the profile and with what was requested.
 * The constants repeat the builder's on purpose, so that a mistake in the builder is found.
 *
 * @returns the failures, named by part of the certificate, never quoting the holder's data; empty when there are none
 */
export async function lintLeaf(
	authority: AuthorityExpectation,
	leaf: Uint8Array,
	expected: LeafExpectation,
): Promise<string[]> {
	let certificate: Certificate;
	try {
		certificate = AsnParser.parse(leaf, Certificate);
	} catch {
		return ["certificate: not DER"];
	}
	const { issuer, name } = parseAuthority(authority.certificate);
	const tbs = certificate.tbsCertificate;
	const issuerKey = issuer.tbsCertificate.subjectPublicKeyInfo;
	const checks: [boolean, string][] = [
		[isWholeElement(leaf), "certificate: bytes after its end"],
		[tbs.version === 2, "version: not 3"],
		[sameBytes(new Uint8Array(tbs.serialNumber), expected.serial), "serial: not the one written down"],
		[isSixteenPositiveBytes(tbs.serialNumber), "serial: not 16 positive bytes"],
		[
			isAlgorithmFor(issuerKey.algorithm, certificate.signatureAlgorithm),
			"signature algorithm: not the authority's",
		],
		[isAlgorithmFor(issuerKey.algorithm, tbs.signature), "signature algorithm: differs inside"],
		[sameBytes(serialize(tbs.issuer), name), "issuer: not the authority's name"],
		[sameBytes(serialize(tbs.subjectPublicKeyInfo), expected.publicKey), "public key: not the generated one"],
		[isKey(expected.keyAlgorithm, tbs.subjectPublicKeyInfo), "public key: not of the algorithm asked for"],
		[!tbs.issuerUniqueID && !tbs.subjectUniqueID, "unique identifiers: present"],
	];
	return [
		...checks.filter(([holds]) => !holds).map(([, failure]) => failure),
		...lintValidity(tbs.validity, expected, issuer.tbsCertificate.validity.notAfter),
		...lintSubject(tbs.subject, expected.holder),
		...(await lintExtensions(tbs.extensions ?? [], authority, issuer, expected)),
	];
}

/** Whether the authority's key made the signature over these bytes. */
export function isSignatureOf(
	authority: AuthorityExpectation,
	tbs: Uint8Array,
	signature: Uint8Array,
): Promise<boolean> {
	const issuerKey = parseAuthority(authority.certificate).issuer.tbsCertificate.subjectPublicKeyInfo;
	const isRsa = issuerKey.algorithm.algorithm === RSA_ENCRYPTION;
	return verifySignature(signatureOid[isRsa ? "rsa-sha256" : "ecdsa-p384-sha384"], issuerKey, signature, tbs);
}

function parseAuthority(der: Uint8Array) {
	let known = parsedAuthorities.get(der);
	if (!known) {
		const issuer = AsnParser.parse(der, Certificate);
		known = { issuer, name: serialize(issuer.tbsCertificate.subject) };
		parsedAuthorities.set(der, known);
	}
	return known;
}

function lintValidity(validity: Validity, expected: LeafExpectation, authorityEnd: Time): string[] {
	const { notBefore, notAfter } = validity;
	const checks: [boolean, string][] = [
		[isSecond(notBefore, expected.notBefore), "notBefore: not the time asked for"],
		[isSecond(notAfter, expected.notAfter), "notAfter: not the time asked for"],
		[notBefore.getTime() < notAfter.getTime(), "validity: ends before it begins"],
		[notAfter.getTime() <= authorityEnd.getTime(), "notAfter: later than the authority's own"],
	];
	return checks.filter(([holds]) => !holds).map(([, failure]) => failure);
}

/** Whether both are one second, as UTCTime through 2049 and GeneralizedTime after (RFC 5280 §4.1.2.5). */
function isSecond(time: Time, wanted: Date): boolean {
	const form = wanted.getUTCFullYear() < 2050 ? time.utcTime : time.generalTime;
	return form?.getTime() === Math.floor(wanted.getTime() / 1000) * 1000;
}

/** A leaf has between 256 and 65,535 bytes, so its header is `30 82` and two bytes of length. */
function isWholeElement(der: Uint8Array): boolean {
	return der[0] === 0x30 && der[1] === 0x82 && der.length === 4 + der[2]! * 256 + der[3]!;
}

function isSixteenPositiveBytes(serial: ArrayBuffer): boolean {
	const first = new Uint8Array(serial)[0] ?? 0;
	return serial.byteLength === 16 && first > 0 && first < 0x80;
}

/** RSA: sha256WithRSAEncryption with NULL (RFC 4055 §5). EC: ecdsa-with-SHA384 without parameters (RFC 5758 §3.2). */
function isAlgorithmFor(issuerKey: AlgorithmIdentifier, signature: AlgorithmIdentifier): boolean {
	return issuerKey.algorithm === RSA_ENCRYPTION
		? signature.algorithm === "1.2.840.113549.1.1.11" && signature.parameters === null
		: signature.algorithm === "1.2.840.10045.4.3.3" && signature.parameters === undefined;
}

function isKey(
	wanted: KeyAlgorithm,
	{ algorithm, subjectPublicKey }: { algorithm: AlgorithmIdentifier; subjectPublicKey: ArrayBuffer },
): boolean {
	const bits = bytesToHex(new Uint8Array(subjectPublicKey));
	return wanted === "rsa-2048"
		? algorithm.algorithm === "1.2.840.113549.1.1.1" &&
				/^3082010a0282010100[89a-f][0-9a-f]{511}0203010001$/.test(bits)
		: algorithm.algorithm === "1.2.840.10045.2.1" &&
				bytesToHex(new Uint8Array(algorithm.parameters ?? [])) === "06082a8648ce3d030107" &&
				/^04[0-9a-f]{128}$/.test(bits);
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
	return bytesToHex(one) === bytesToHex(other);
}
