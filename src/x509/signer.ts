import { PrivateKeyInfo } from "@peculiar/asn1-pkcs8";
import { AsnParser } from "@peculiar/asn1-schema";
import { AuthorityError } from "./authority-error.ts";
import { derNull, encodeOid, frame, tag } from "./der.ts";
import { encodeEcdsaSignature } from "./ecdsa-signature.ts";

export type SignatureAlgorithm = "rsa-sha256" | "ecdsa-p384-sha384";

/** What an issuing authority signs with. A KMS or an HSM can take the place of the local key. */
export interface Signer {
	readonly algorithm: SignatureAlgorithm;
	/** Hashes and signs the octets; the answer is as X.509 wants it (PKCS#1 v1.5, or DER `Ecdsa-Sig-Value`). */
	sign(tbs: Uint8Array): Promise<Uint8Array>;
}

/** sha256WithRSAEncryption (RFC 4055 §5) and ecdsa-with-SHA384 (RFC 5758 §3.2). */
export const signatureOid: Record<SignatureAlgorithm, string> = {
	"rsa-sha256": "1.2.840.113549.1.1.11",
	"ecdsa-p384-sha384": "1.2.840.10045.4.3.3",
};

/** DER AlgorithmIdentifier of each signature: RSA's has NULL parameters, ECDSA's none. */
export const signatureAlgorithmDer: Record<SignatureAlgorithm, Uint8Array> = {
	"rsa-sha256": frame(tag.sequence, encodeOid(signatureOid["rsa-sha256"]), derNull),
	"ecdsa-p384-sha384": frame(tag.sequence, encodeOid(signatureOid["ecdsa-p384-sha384"])),
};

const RSA_ENCRYPTION = "1.2.840.113549.1.1.1";
const EC_PUBLIC_KEY = "1.2.840.10045.2.1";
const SECP384R1 = encodeOid("1.3.132.0.34");

/**
 * Imports a PKCS#8 key, non-extractable, as a signer.
 *
 * @param what - names the key in errors
 * @throws AuthorityError when it is not PKCS#8, or neither RSA nor P-384; the key itself is never in the message
 */
export async function createLocalSigner(pkcs8: Uint8Array, what = "issuing key"): Promise<Signer> {
	const algorithm = detectAlgorithm(pkcs8, what);
	if (algorithm === "rsa-sha256") {
		const key = await importPrivateKey(pkcs8, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, what);
		return {
			algorithm,
			sign: async (tbs) => new Uint8Array(await crypto.subtle.sign("RSASSA-PKCS1-v1_5", key, tbs)),
		};
	}
	const key = await importPrivateKey(pkcs8, { name: "ECDSA", namedCurve: "P-384" }, what);
	const ecdsa = { name: "ECDSA", hash: "SHA-384" };
	return {
		algorithm,
		sign: async (tbs) => encodeEcdsaSignature(new Uint8Array(await crypto.subtle.sign(ecdsa, key, tbs))),
	};
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
