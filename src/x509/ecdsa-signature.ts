import { frame, tag } from "./der.ts";

/** WebCrypto's `r || s` as the DER `Ecdsa-Sig-Value` that X.509 wants (RFC 3279 §2.2.3). */
export function encodeEcdsaSignature(raw: Uint8Array): Uint8Array {
	const half = raw.length / 2;
	return frame(tag.sequence, encodeUnsigned(raw.subarray(0, half)), encodeUnsigned(raw.subarray(half)));
}

function encodeUnsigned(octets: Uint8Array): Uint8Array {
	const first = octets.findIndex((octet) => octet !== 0);
	const significant = first === -1 ? new Uint8Array(1) : octets.subarray(first);
	const signBit = (significant[0]! & 0x80) !== 0;
	return frame(tag.integer, signBit ? new Uint8Array(1) : new Uint8Array(0), significant);
}

/**
 * The way back: DER `Ecdsa-Sig-Value` to `r || s`, each `half` octets wide.
 * Lengths below 128 only, which holds for every curve up to P-384.
 *
 * @returns null when the octets are not such a value
 */
export function decodeEcdsaSignature(der: Uint8Array, half: number): Uint8Array<ArrayBuffer> | null {
	if (der[0] !== tag.sequence || der[1] !== der.length - 2) return null;
	const raw = new Uint8Array(2 * half);
	let offset = 2;
	for (const end of [half, 2 * half]) {
		const length = der[offset + 1];
		if (der[offset] !== tag.integer || length === undefined) return null;
		let integer = der.subarray(offset + 2, offset + 2 + length);
		if (integer.length !== length) return null;
		if (integer[0] === 0) integer = integer.subarray(1);
		if (integer.length > half) return null;
		raw.set(integer, end - integer.length);
		offset += 2 + length;
	}
	return offset === der.length ? raw : null;
}
