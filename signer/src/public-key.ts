import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { element, oid, same, sequence, TAG, Walk } from "./der.ts";
import { demand } from "./refusal.ts";

/** A public key that was read to its last byte. */
export interface PublicKey {
	/** `rsa` has more than 2,048 and up to 4,096 bits. */
	kind: "rsa-2048" | "rsa" | "p-256" | "p-384";
	publicKey: KeyObject;
	/** SHA-256 of the SubjectPublicKeyInfo: the key's name in the register. */
	keyHash: string;
	/** SHA-1 of its bits (RFC 5280 §4.2.1.2 method 1). */
	keyId: Uint8Array;
}

/** AlgorithmIdentifier of an RSA key (RFC 3279 §2.3.1). */
export const RSA = sequence(oid("1.2.840.113549.1.1.1"), element(TAG.null));
const CURVES = { prime256v1: ["p-256", 65], secp384r1: ["p-384", 97] } as const;
/** 2 and the odd numbers to 1,001. */
const SMALL = [2n, ...Array.from({ length: 500 }, (_, i) => BigInt(2 * i + 3))];

/** Reads a SubjectPublicKeyInfo. Refuses a key that is weak, or none of these kinds. */
export function readPublicKey(spki: Uint8Array): PublicKey {
	const bits = Walk.over(spki, TAG.sequence, (info) => {
		info.whole(TAG.sequence);
		return info.bits();
	});
	const publicKey = parse(spki);
	const { modulusLength, publicExponent, namedCurve } = publicKey?.asymmetricKeyDetails ?? {};
	// Written again, what is not in DER comes out as other bytes.
	const isDer = publicKey && same(publicKey.export({ format: "der", type: "spki" }), spki);
	const keyHash = createHash("sha256").update(spki).digest("hex");
	const keyId = createHash("sha1").update(bits).digest();
	const [curve, size] = CURVES[namedCurve as keyof typeof CURVES] ?? [];
	if (isDer && curve && bits.length === size) return { kind: curve, publicKey, keyHash, keyId };
	const isRsa = isDer && publicKey.asymmetricKeyType === "rsa" && publicExponent === 65_537n;
	demand(!!isRsa, "WEAK_KEY", "Send a whole point of P-256 or P-384, or an RSA key with the exponent 65537.");
	const isSize = modulusLength! >= 2048 && modulusLength! <= 4096;
	demand(isSize, "WEAK_KEY", "Send an RSA key of 2,048 bits.");
	const n = BigInt(`0x${Buffer.from(publicKey.export({ format: "jwk" }).n!, "base64url").toString("hex")}`);
	const hasFactor = SMALL.some((factor) => n % factor === 0n);
	demand(!hasFactor, "WEAK_KEY", "Send an RSA key without small factors.");
	return { kind: modulusLength === 2048 ? "rsa-2048" : "rsa", publicKey, keyHash, keyId };
}

/** @returns null where OpenSSL reads no key, such as a point that is not on its curve */
function parse(spki: Uint8Array): KeyObject | null {
	try {
		return createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" });
	} catch {
		return null;
	}
}
