import { createHash, createPublicKey } from "node:crypto";
import { element, hex, oid, same, TAG, Walk } from "./der.ts";
import { demand } from "./refusal.ts";

/** A public key that was read to its last byte. */
export interface PublicKey {
	/** `rsa` has up to 4,096 bits. */
	kind: "rsa-2048" | "rsa" | "p-256" | "p-384";
	/** SHA-256 of the SubjectPublicKeyInfo: the key's name in the register. */
	hash: string;
	/** SHA-1 of its bits (RFC 5280 §4.2.1.2 method 1). */
	id: Uint8Array;
}

const RSA = element(TAG.sequence, oid("1.2.840.113549.1.1.1"), element(TAG.null));
const ec = (curve: string) => element(TAG.sequence, oid("1.2.840.10045.2.1"), oid(curve));
const CURVES = [
	{ kind: "p-256", algorithm: ec("1.2.840.10045.3.1.7"), bytes: 65 },
	{ kind: "p-384", algorithm: ec("1.3.132.0.34"), bytes: 97 },
] as const;

/** Reads a SubjectPublicKeyInfo. Refuses a key that is weak, or none of these kinds. */
export function readPublicKey(spki: Uint8Array): PublicKey {
	const { algorithm, bits } = Walk.over(spki, TAG.sequence, (info) => ({
		algorithm: info.whole(TAG.sequence),
		bits: info.bits(),
	}));
	const hash = createHash("sha256").update(spki).digest("hex");
	const id = createHash("sha1").update(bits).digest();
	if (same(algorithm, RSA)) return { kind: readRsa(bits), hash, id };
	const curve = CURVES.find((one) => same(one.algorithm, algorithm));
	const isPoint = bits.length === curve?.bytes && bits[0] === 4 && isOnCurve(spki);
	demand(isPoint, "WEAK_KEY", "Send a key of RSA, or a whole point of P-256 or P-384.");
	return { kind: curve.kind, hash, id };
}

/** OpenSSL reads no point that is not on its curve. */
function isOnCurve(spki: Uint8Array): boolean {
	try {
		return createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" }).type === "public";
	} catch {
		return false;
	}
}

function readRsa(bits: Uint8Array): PublicKey["kind"] {
	const [modulus, exponent] = Walk.over(bits, TAG.sequence, (key) => [key.integer(), key.integer()] as const);
	const n = BigInt(`0x0${hex(modulus)}`);
	const size = n.toString(2).length;
	demand(size >= 2048 && size <= 4096, "WEAK_KEY", "Send an RSA key of 2,048 bits.");
	demand(hex(exponent) === "010001", "WEAK_KEY", "Send an RSA key with the exponent 65537.");
	const hasFactor = SMALL.some((factor) => n % factor === 0n);
	demand(!hasFactor, "WEAK_KEY", "Send an RSA key without small factors.");
	return size === 2048 ? "rsa-2048" : "rsa";
}

/** 2 and the odd numbers to 1,001. */
const SMALL = [2n, ...Array.from({ length: 500 }, (_, i) => BigInt(2 * i + 3))];
