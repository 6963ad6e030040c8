import { sha1 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { iterateSha256 } from "./iterate-sha256.ts";

/** Both hashes work on blocks of 64 octets: `v` of RFC 7292 App. B.2. */
const BLOCK = 64;

/** What derived octets are for: the `ID` of RFC 7292 App. B.3. */
export const purpose = { key: 1, iv: 2, mac: 3 } as const;

export interface Pkcs12KdfInput {
	hash: "sha256" | "sha1";
	purpose: (typeof purpose)[keyof typeof purpose];
	/** As encodeBmpPassword gives it. */
	password: Uint8Array;
	salt: Uint8Array;
	rounds: number;
	/** Octets wanted. */
	length: number;
}

/** The password as a BMPString with its two-octet NUL (RFC 7292 App. B.1). */
export function encodeBmpPassword(password: string): Uint8Array {
	const octets = new Uint8Array(2 * password.length + 2);
	const view = new DataView(octets.buffer);
	for (let i = 0; i < password.length; i++) view.setUint16(2 * i, password.charCodeAt(i));
	return octets;
}

/** The PKCS#12 key derivation (RFC 7292 App. B.2), step numbers in the comments. */
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

function hashRepeatedly(hash: "sha256" | "sha1", message: Uint8Array, rounds: number): Uint8Array {
	if (hash === "sha256") return iterateSha256(sha256(message), rounds - 1);
	const fresh = sha1.create();
	const working = sha1.create().update(message);
	const digest = new Uint8Array(sha1.outputLen);
	working.digestInto(digest);
	// One hash object for all rounds instead of one to a round.
	for (let round = 1; round < rounds; round++) fresh._cloneInto(working).update(digest).digestInto(digest);
	return digest;
}

function repeatToBlocks(octets: Uint8Array): Uint8Array {
	const length = BLOCK * Math.ceil(octets.length / BLOCK);
	return Uint8Array.from({ length }, (_, i) => octets[i % octets.length]!);
}

/** Adds `block`, repeated to 64 octets, plus one to each 64-octet block, modulo 2^512. */
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
