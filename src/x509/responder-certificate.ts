import { AsnParser, OctetString } from "@peculiar/asn1-schema";
import {
	BasicConstraints,
	ExtendedKeyUsage,
	KeyUsage,
	KeyUsageFlags,
	Name,
	SubjectKeyIdentifier,
	SubjectPublicKeyInfo,
	Validity,
} from "@peculiar/asn1-x509";
import { derNull, encodeInteger, frame, serialize, tag } from "./der.ts";
import type { IssuingAuthority } from "./issuing-authority.ts";
import { authorityKeyIdentifier, extension, frameExtensions } from "./leaf-extensions.ts";
import { type SignatureAlgorithm, signatureAlgorithmDer } from "./signatures.ts";

const COMMON_NAME = "2.5.4.3";
const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9";
const OCSP_NOCHECK = "1.3.6.1.5.5.7.48.1.5";

/** A responder's key is of its authority's kind; it signs every answer, so an RSA one is no longer than it must be. */
const KEYS = {
	"rsa-sha256": {
		name: "RSASSA-PKCS1-v1_5",
		hash: "SHA-256",
		modulusLength: 2048,
		publicExponent: new Uint8Array([1, 0, 1]),
	},
	"ecdsa-p384-sha384": { name: "ECDSA", namedCurve: "P-384" },
} satisfies Record<SignatureAlgorithm, object>;

/** @returns DER: SubjectPublicKeyInfo and PKCS#8, which the caller seals */
export async function generateResponderKey(
	algorithm: SignatureAlgorithm,
): Promise<{ spki: Uint8Array; pkcs8: Uint8Array }> {
	const pair = (await crypto.subtle.generateKey(KEYS[algorithm], true, ["sign", "verify"])) as CryptoKeyPair;
	const [spki, pkcs8] = await Promise.all([
		crypto.subtle.exportKey("spki", pair.publicKey),
		crypto.subtle.exportKey("pkcs8", pair.privateKey),
	]);
	return { spki: new Uint8Array(spki as ArrayBuffer), pkcs8: new Uint8Array(pkcs8 as ArrayBuffer) };
}

/**
 * Encodes what is signed of a delegated OCSP responder's certificate (RFC 6960 §4.2.2.2), as `npm run ocsp-responder`
 * makes it. Clients do not ask whether it is revoked (§4.2.2.2.1), so it is to end soon.
 *
 * @param serial - from createSerial
 * @returns DER TBSCertificate
 */
export async function encodeResponder(
	authority: Pick<IssuingAuthority, "signer" | "subject" | "subjectKeyId">,
	input: { serial: Uint8Array; publicKey: Uint8Array; notBefore: Date; notAfter: Date },
): Promise<Uint8Array> {
	const { subjectPublicKey } = AsnParser.parse(input.publicKey, SubjectPublicKeyInfo);
	const keyId = new OctetString(await crypto.subtle.digest("SHA-1", subjectPublicKey));
	return frame(
		tag.sequence,
		frame(tag.explicit(0), encodeInteger(2)),
		frame(tag.integer, input.serial),
		signatureAlgorithmDer[authority.signer.algorithm],
		authority.subject,
		serialize(new Validity({ notBefore: input.notBefore, notAfter: input.notAfter })),
		nameResponder(authority.subject),
		input.publicKey,
		frameExtensions(
			extension("2.5.29.19", serialize(new BasicConstraints({ cA: false })), true),
			extension("2.5.29.15", serialize(new KeyUsage(KeyUsageFlags.digitalSignature)), true),
			extension("2.5.29.37", serialize(new ExtendedKeyUsage([OCSP_SIGNING]))),
			extension(OCSP_NOCHECK, derNull as Uint8Array<ArrayBuffer>),
			extension("2.5.29.14", serialize(new SubjectKeyIdentifier(keyId.buffer))),
			extension("2.5.29.35", serialize(authorityKeyIdentifier(authority.subjectKeyId))),
		),
	);
}

/** The authority's name with another common name: `… Issuing CA` becomes `… OCSP`. @returns DER Name */
function nameResponder(authority: Uint8Array): Uint8Array {
	const name = AsnParser.parse(authority, Name);
	for (const { type, value } of name.flat())
		if (type === COMMON_NAME) value.printableString = `${String(value).replace(/ Issuing CA$/, "")} OCSP`;
	return serialize(name);
}
