import { PrivateKeyInfo } from "@peculiar/asn1-pkcs8";
import { AsnParser } from "@peculiar/asn1-schema";
import type { Certificate, SubjectPublicKeyInfo } from "@peculiar/asn1-x509";
import { AuthorityError } from "./authority-error.ts";
import { derNull, encodeOid, frame, serialize, tag } from "./der.ts";

export type SignatureAlgorithm = "rsa-sha256" | "ecdsa-p384-sha384";

/** A key in this isolate. */
export interface Signer {
	readonly algorithm: SignatureAlgorithm;
	/** Length of its signatures in bytes; of ECDSA's the greatest, since DER drops leading zeros. */
	readonly signatureBytes: number;
	/** Hashes and signs the bytes. @returns the signature in X.509's form: PKCS#1 v1.5, or DER `Ecdsa-Sig-Value` */
	sign(tbs: Uint8Array): Promise<Uint8Array>;
}

/** sha256WithRSAEncryption (RFC 4055 §5) and ecdsa-with-SHA384 (RFC 5758 §3.2). */
export const signatureOid: Record<SignatureAlgorithm, string> = {
	"rsa-sha256": "1.2.840.113549.1.1.11",
	"ecdsa-p384-sha384": "1.2.840.10045.4.3.3",
};

/** DER AlgorithmIdentifier of each algorithm: RSA's has NULL parameters, ECDSA's has none. */
export const signatureAlgorithmDer: Record<SignatureAlgorithm, Uint8Array> = {
	"rsa-sha256": frame(tag.sequence, encodeOid(signatureOid["rsa-sha256"]), derNull),
	"ecdsa-p384-sha384": frame(tag.sequence, encodeOid(signatureOid["ecdsa-p384-sha384"])),
};

/** DER SEQUENCE { tbs, signatureAlgorithm, signature, ...rest }: a certificate, a CRL or a BasicOCSPResponse. */
export async function signDer(
	signer: Signer,
	tbs: Uint8Array,
	...rest: Uint8Array[]
): Promise<Uint8Array<ArrayBuffer>> {
	return frameSigned(signer, tbs, await signer.sign(tbs), ...rest);
}

/** DER SEQUENCE { tbs, signatureAlgorithm, signature, ...rest } with a signature that was made before. */
export function frameSigned(
	{ algorithm }: Pick<Signer, "algorithm">,
	tbs: Uint8Array,
	signature: Uint8Array,
	...rest: Uint8Array[]
): Uint8Array<ArrayBuffer> {
	const bits = frame(tag.bitString, NO_UNUSED_BITS, signature);
	return frame(tag.sequence, tbs, signatureAlgorithmDer[algorithm], bits, ...rest);
}

const NO_UNUSED_BITS = new Uint8Array(1);
const RSA_ENCRYPTION = "1.2.840.113549.1.1.1";
const EC_PUBLIC_KEY = "1.2.840.10045.2.1";
const ECDSA_MAX_BYTES = 104;
const SECP384R1 = encodeOid("1.3.132.0.34");

/**
 * Imports a PKCS#8 key, non-extractable, as a signer.
 *
 * @param what - names the key in errors
 * @throws AuthorityError when it is not PKCS#8, or neither RSA nor P-384; the message never contains the key
 */
export async function createLocalSigner(pkcs8: Uint8Array, what = "issuing key"): Promise<Signer> {
	const algorithm = detectAlgorithm(pkcs8, what);
	if (algorithm === "rsa-sha256") {
		const key = await importPrivateKey(pkcs8, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, what);
		return {
			algorithm,
			signatureBytes: modulusBytes(key),
			sign: async (tbs) => new Uint8Array(await crypto.subtle.sign("RSASSA-PKCS1-v1_5", key, tbs)),
		};
	}
	const key = await importPrivateKey(pkcs8, { name: "ECDSA", namedCurve: "P-384" }, what);
	const ecdsa = { name: "ECDSA", hash: "SHA-384" };
	return {
		algorithm,
		signatureBytes: ECDSA_MAX_BYTES,
		sign: async (tbs) => encodeEcdsaSignature(new Uint8Array(await crypto.subtle.sign(ecdsa, key, tbs))),
	};
}

/** Reads from a public key how it signs. @throws AuthorityError when it is neither RSA nor P-384 */
export async function describePublicKey(
	publicKey: SubjectPublicKeyInfo,
	what: string,
): Promise<Pick<Signer, "algorithm" | "signatureBytes">> {
	const isRsa = publicKey.algorithm.algorithm === RSA_ENCRYPTION;
	const algorithm = isRsa ? "rsa-sha256" : "ecdsa-p384-sha384";
	const parameters = isRsa
		? { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }
		: { name: "ECDSA", namedCurve: "P-384" };
	try {
		const key = await importPublicKey(publicKey, signatureOid[algorithm], parameters);
		return { algorithm, signatureBytes: isRsa ? modulusBytes(key) : ECDSA_MAX_BYTES };
	} catch {
		throw new AuthorityError(`the ${what} is neither RSA nor P-384`);
	}
}

function modulusBytes({ algorithm }: CryptoKey): number {
	return (algorithm as unknown as { modulusLength: number }).modulusLength / 8;
}

function detectAlgorithm(pkcs8: Uint8Array, what: string): SignatureAlgorithm {
	let info: PrivateKeyInfo;
	try {
		info = AsnParser.parse(pkcs8, PrivateKeyInfo);
	} catch {
		throw new AuthorityError(`the ${what} is not PKCS#8`);
	}
	const { algorithm, parameters } = info.privateKeyAlgorithm;
	if (algorithm === RSA_ENCRYPTION) return "rsa-sha256";
	const curve = new Uint8Array(parameters ?? new ArrayBuffer(0));
	if (algorithm === EC_PUBLIC_KEY && curve.join() === SECP384R1.join()) return "ecdsa-p384-sha384";
	throw new AuthorityError(`the ${what} is neither RSA nor P-384`);
}

async function importPrivateKey(
	pkcs8: Uint8Array,
	algorithm: { name: string; hash?: string; namedCurve?: string },
	what: string,
): Promise<CryptoKey> {
	try {
		return await crypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]);
	} catch {
		throw new AuthorityError(`the ${what} cannot be read`);
	}
}

const rsaHashes: Record<string, string> = {
	"1.2.840.113549.1.1.11": "SHA-256",
	"1.2.840.113549.1.1.12": "SHA-384",
	"1.2.840.113549.1.1.13": "SHA-512",
};
const ecdsaHashes: Record<string, string> = {
	"1.2.840.10045.4.3.2": "SHA-256",
	"1.2.840.10045.4.3.3": "SHA-384",
};

/**
 * Whether the certificate's signature verifies under the public key: RSA PKCS#1 v1.5 or ECDSA on P-384.
 * A signature of another algorithm, or of one that does not match the key, does not verify.
 *
 * @param certificate - parsed from DER, so that `tbsCertificateRaw` is present
 */
export async function verifyCertificateSignature(
	certificate: Certificate,
	publicKey: SubjectPublicKeyInfo,
): Promise<boolean> {
	const tbs = certificate.tbsCertificateRaw;
	if (!tbs) return false;
	const oid = certificate.signatureAlgorithm.algorithm;
	return verifySignature(oid, publicKey, new Uint8Array(certificate.signatureValue), new Uint8Array(tbs));
}

/** Verifies a signature of any bytes. `oid` names the signature algorithm. */
export async function verifySignature(
	oid: string,
	publicKey: SubjectPublicKeyInfo,
	signature: Uint8Array,
	signed: Uint8Array,
): Promise<boolean> {
	try {
		const rsaHash = rsaHashes[oid];
		if (rsaHash) {
			const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: rsaHash };
			const key = await importPublicKey(publicKey, oid, algorithm);
			return await crypto.subtle.verify(algorithm.name, key, signature, signed);
		}
		const ecdsaHash = ecdsaHashes[oid];
		const raw = decodeEcdsaSignature(signature, 48);
		if (!ecdsaHash || !raw) return false;
		const curve = { name: "ECDSA", namedCurve: "P-384" };
		const key = await importPublicKey(publicKey, oid, curve);
		return await crypto.subtle.verify({ name: "ECDSA", hash: ecdsaHash }, key, raw, signed);
	} catch {
		// WebCrypto throws when the key does not match the algorithm.
		return false;
	}
}

const importedKeys = new WeakMap<SubjectPublicKeyInfo, Map<string, CryptoKey>>();

/** Imports a key once for each signature algorithm it is used with. @throws when it is not of that algorithm */
async function importPublicKey(
	publicKey: SubjectPublicKeyInfo,
	oid: string,
	algorithm: { name: string; hash?: string; namedCurve?: string },
): Promise<CryptoKey> {
	const imported = importedKeys.get(publicKey) ?? new Map<string, CryptoKey>();
	const key =
		imported.get(oid) ??
		(await crypto.subtle.importKey("spki", serialize(publicKey), algorithm, false, ["verify"]));
	importedKeys.set(publicKey, imported.set(oid, key));
	return key;
}

/** Encodes WebCrypto's `r || s` as the DER `Ecdsa-Sig-Value` of X.509 (RFC 3279 §2.2.3). */
export function encodeEcdsaSignature(raw: Uint8Array): Uint8Array {
	const half = raw.length / 2;
	return frame(tag.sequence, encodeUnsigned(raw.subarray(0, half)), encodeUnsigned(raw.subarray(half)));
}

function encodeUnsigned(bytes: Uint8Array): Uint8Array {
	const first = bytes.findIndex((byte) => byte !== 0);
	const significant = first === -1 ? new Uint8Array(1) : bytes.subarray(first);
	const signBit = (significant[0]! & 0x80) !== 0;
	return frame(tag.integer, signBit ? new Uint8Array(1) : new Uint8Array(0), significant);
}

/**
 * Decodes a DER `Ecdsa-Sig-Value` to `r || s`, each `half` bytes long.
 * Reads lengths below 128 only, which is enough for curves up to P-384.
 *
 * @returns null when the bytes are not such a value
 */
export function decodeEcdsaSignature(der: Uint8Array, half: number): Uint8Array<ArrayBuffer> | null {
	if (der[0] !== tag.sequence || der[1] !== der.length - 2) return null;
	const raw = new Uint8Array(2 * half);
	let offset = 2;
	for (const end of [half, 2 * half]) {
		const length = der[offset + 1];
		if (der[offset] !== tag.integer || length === undefined) return null;
		let integer = der.subarray(offset + 2, offset + 2 + length);
		if (integer[0] === 0) integer = integer.subarray(1);
		if (integer.length > half) return null;
		raw.set(integer, end - integer.length);
		offset += 2 + length;
	}
	return offset === der.length ? raw : null;
}
