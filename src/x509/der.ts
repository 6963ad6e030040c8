import { concatBytes } from "@noble/hashes/utils.js";
import {
	AsnIA5StringConverter,
	AsnIntegerConverter,
	AsnObjectIdentifierConverter,
	AsnSerializer,
} from "@peculiar/asn1-schema";

/** Tags this service writes itself (X.690 §8.1.2); everything else is left to @peculiar/asn1-schema. */
export const tag = {
	boolean: 0x01,
	integer: 0x02,
	bitString: 0x03,
	octetString: 0x04,
	null: 0x05,
	oid: 0x06,
	enumerated: 0x0a,
	utcTime: 0x17,
	generalizedTime: 0x18,
	bmpString: 0x1e,
	sequence: 0x30,
	set: 0x31,
	/** `[n] IMPLICIT` around a primitive. */
	implicit: (n: number) => 0x80 | n,
	/** `[n] EXPLICIT`. */
	explicit: (n: number) => 0xa0 | n,
} as const;

/**
 * Frames parts that are already DER into one element: tag octet, definite length (X.690 §10.1), contents.
 * The library would parse every such part again before writing it.
 */
export function frame(tagOctet: number, ...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
	const length = parts.reduce((sum, part) => sum + part.length, 0);
	return concatBytes(Uint8Array.of(tagOctet, ...encodeLength(length)), ...parts);
}

function encodeLength(length: number): number[] {
	if (length < 0x80) return [length];
	const octets: number[] = [];
	for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
	return [0x80 | octets.length, ...octets];
}

/** DER of an object of one of the @peculiar/asn1-* schema classes. */
export function serialize(value: object): Uint8Array<ArrayBuffer> {
	return new Uint8Array(AsnSerializer.serialize(value));
}

/** DER of an object identifier given in dots. */
export function encodeOid(dotted: string): Uint8Array<ArrayBuffer> {
	return new Uint8Array(AsnObjectIdentifierConverter.toASN(dotted).toBER(false));
}

/** DER of a small non-negative INTEGER. */
export function encodeInteger(value: number): Uint8Array<ArrayBuffer> {
	return new Uint8Array(AsnIntegerConverter.toASN(value).toBER(false));
}

/** DER of an IA5String. The text must be ASCII; the linter finds it when it was not. */
export function encodeIa5String(text: string): Uint8Array<ArrayBuffer> {
	return new Uint8Array(AsnIA5StringConverter.toASN(text).toBER(false));
}

/** DER NULL, the parameters of most algorithm identifiers. */
export const derNull = new Uint8Array([0x05, 0x00]);
