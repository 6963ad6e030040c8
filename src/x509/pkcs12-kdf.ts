import { sha1 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { type CHash, concatBytes } from "@noble/hashes/utils.js";

const hashes: Record<"sha256" | "sha1", CHash> = { sha256, sha1 };

/** Both hashes work on blocks of 64 bytes: `v` of RFC 7292 App. B.2. */
const BLOCK = 64;

/** Use of the derived bytes: the `ID` of RFC 7292 App. B.3. */
export const purpose = { key: 1, iv: 2, mac: 3 } as const;

export interface Pkcs12KdfInput {
	hash: "sha256" | "sha1";
	purpose: (typeof purpose)[keyof typeof purpose];
	/** Password from encodeBmpPassword. */
	password: Uint8Array;
	salt: Uint8Array;
	rounds: number;
	/** Number of bytes to derive. */
	length: number;
}

/** The password as a BMPString with its two-byte NUL (RFC 7292 App. B.1). */
export function encodeBmpPassword(password: string): Uint8Array {
	return encodeUtf16(`${password}\0`);
}

/** Contents of a BMPString: big-endian UTF-16. Readers accept surrogate pairs for characters beyond its plane. */
export function encodeUtf16(text: string): Uint8Array {
	const bytes = new Uint8Array(2 * text.length);
	const view = new DataView(bytes.buffer);
	for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i));
	return bytes;
}

/** The PKCS#12 key derivation. Comments give the step numbers of RFC 7292 App. B.2. */
export function derivePkcs12Key(input: Pkcs12KdfInput): Uint8Array<ArrayBuffer> {
	const diversifier = new Uint8Array(BLOCK).fill(input.purpose); // 1
	const salt = repeatToBlocks(input.salt); // 2
	const password = repeatToBlocks(input.password); // 3
	const message = concatBytes(diversifier, salt, password); // D || I, 4

	const derived = new Uint8Array(input.length);
	for (let offset = 0; ; ) {
		const block = hashRepeatedly(input.hash, message, input.rounds); // 6A
		derived.set(block.subarray(0, input.length - offset), offset); // 7, 8
		offset += block.length;
		if (offset >= input.length) return derived;
		addToBlocks(message.subarray(BLOCK), block); // 6B, 6C
	}
}

/** Reuses one hash object for all rounds: a new one per round takes a fifth longer. */
function hashRepeatedly(hash: "sha256" | "sha1", message: Uint8Array, rounds: number): Uint8Array {
	const fresh = hashes[hash].create();
	const working = hashes[hash].create().update(message);
	const digest = new Uint8Array(working.outputLen);
	working.digestInto(digest);
	for (let round = 1; round < rounds; round++) fresh._cloneInto(working).update(digest).digestInto(digest);
	return digest;
}

function repeatToBlocks(bytes: Uint8Array): Uint8Array {
	const length = BLOCK * Math.ceil(bytes.length / BLOCK);
	return Uint8Array.from({ length }, (_, i) => bytes[i % bytes.length]!);
}

/** Adds `block`, repeated to 64 bytes, plus one to each 64-byte block, modulo 2^512. */
function addToBlocks(blocks: Uint8Array, block: Uint8Array): void {
	for (let start = 0; start < blocks.length; start += BLOCK) {
		let carry = 1;
		for (let i = BLOCK - 1; i >= 0; i--) {
			carry += blocks[start + i]! + block[i % block.length]!;
			blocks[start + i] = carry & 0xff;
			carry >>= 8;
		}
	}
}
