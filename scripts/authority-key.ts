import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { fromBER, type Sequence } from "asn1js";
import type { Token } from "../signer/src/pkcs11-token.ts";
import { frame, tag } from "../src/x509/der.ts";

/* Keys of authorities, which sign certificates and CRLs: of files, or of a token that keeps them. */

export type KeyType = "rsa-3072" | "p-384";

export interface AuthorityKey {
	publicKey: CryptoKey;
	/** The key of a file; for a token's, one of the same kind that is thrown away. */
	signingKey: CryptoKey;
	/** Puts the token's signature in the place of the thrown-away key's, over the same bytes. */
	finish(signed: ArrayBuffer): Promise<Uint8Array<ArrayBuffer>>;
}

const ALGORITHMS = {
	"rsa-3072": {
		name: "RSASSA-PKCS1-v1_5",
		hash: "SHA-256",
		modulusLength: 3072,
		publicExponent: new Uint8Array([1, 0, 1]),
	},
	"p-384": { name: "ECDSA", namedCurve: "P-384", hash: "SHA-384" },
} as const;

const NO_UNUSED_BITS = new Uint8Array(1);

/** The algorithm with which a key of this kind signs. */
export function algorithmOf(key: { algorithm: { name: string } }) {
	return key.algorithm.name === "ECDSA" ? ALGORITHMS["p-384"] : ALGORITHMS["rsa-3072"];
}

export async function generateKeys(type: KeyType): Promise<CryptoKeyPair> {
	return (await crypto.subtle.generateKey(ALGORITHMS[type], true, ["sign", "verify"])) as CryptoKeyPair;
}

export function keyOfPair({ publicKey, privateKey }: CryptoKeyPair): AuthorityKey {
	return { publicKey, signingKey: privateKey, finish: async (signed) => new Uint8Array(signed) };
}

/** @param pkcs8 - base64, the key of this certificate */
export async function keyOfFile(pkcs8: string, certificate: x509.X509Certificate): Promise<AuthorityKey> {
	const algorithm = algorithmOf(certificate.publicKey);
	const der = Buffer.from(pkcs8, "base64");
	const privateKey = await crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
	return keyOfPair({ publicKey: await certificate.publicKey.export(), privateKey });
}

export async function keyOfToken(token: Token, label: string): Promise<AuthorityKey> {
	const publicKey = await importPublicKey(await token.publicKey(label));
	const throwaway = await generateKeys(publicKey.algorithm.name === "ECDSA" ? "p-384" : "rsa-3072");
	const finish = async (signed: ArrayBuffer) => {
		const [tbs, algorithm] = (fromBER(signed).result as Sequence).valueBlock.value.map((part) =>
			Uint8Array.from(part.valueBeforeDecodeView),
		) as [Uint8Array, Uint8Array];
		const signature = await token.sign(label, tbs);
		return frame(tag.sequence, tbs, algorithm, frame(tag.bitString, NO_UNUSED_BITS, signature));
	};
	return { publicKey, signingKey: throwaway.privateKey, finish };
}

/** @param spki - DER */
export async function importPublicKey(spki: Uint8Array): Promise<CryptoKey> {
	const key = new x509.PublicKey(spki as BufferSource);
	return key.export(algorithmOf(key), ["verify"]);
}
