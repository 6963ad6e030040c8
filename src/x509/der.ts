import { concatBytes } from "@noble/hashes/utils.js";
import {
	AsnIA5StringConverter,
	AsnIntegerConverter,
	AsnObjectIdentifierConverter,
	AsnSerializer,
} from "@peculiar/asn1-schema";

/** Tags that this service reads and writes itself (X.690 §8.1.2). @peculiar/asn1-schema does the rest. */
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
 * Puts parts that are already DER into one element: tag byte, definite length (X.690 §10.1), contents.
 * The library would parse every part again before writing it.
 */
export function frame(tagByte: number, ...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
	const length = parts.reduce((sum, part) => sum + part.length, 0);
	return concatBytes(Uint8Array.of(tagByte, ...encodeLength(length)), ...parts);
}

function encodeLength(length: number): number[] {
	if (length < 0x80) return [length];
	const bytes: number[] = [];
	for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
	return [0x80 | bytes.length, ...bytes];
}

/** DER of an object of one of the @peculiar/asn1-* schema classes. */
export function serialize(value: object): Uint8Array<ArrayBuffer> {
	return new Uint8Array(AsnSerializer.serialize(value));
}

/** DER of an object identifier in dotted form. */
export function encodeOid(dotted: string): Uint8Array<ArrayBuffer> {
	return new Uint8Array(AsnObjectIdentifierConverter.toASN(dotted).toBER(false));
}

/** DER of a small non-negative INTEGER. */
export function encodeInteger(value: number): Uint8Array<ArrayBuffer> {
	return new Uint8Array(AsnIntegerConverter.toASN(value).toBER(false));
}

/** DER of an IA5String. The text must be ASCII; the leaf's linter refuses anything else. */
export function encodeIa5String(text: string): Uint8Array<ArrayBuffer> {
	return new Uint8Array(AsnIA5StringConverter.toASN(text).toBER(false));
}

/** DER NULL, the parameters of most algorithm identifiers. */
export const derNull = new Uint8Array([0x05, 0x00]);

/** RFC 5280 §4.1.2.5: dates through the year 2049 are UTCTime, later ones GeneralizedTime. To the second. */
export function encodeTime(time: Date): Uint8Array<ArrayBuffer> {
	return time.getUTCFullYear() < 2050
		? frame(tag.utcTime, encodeAscii(digitsOf(time).slice(2)))
		: encodeGeneralizedTime(time);
}

/** `YYYYMMDDHHMMSSZ`, without a fraction of a second (RFC 6960 §4.2.2.1, RFC 5280 §4.1.2.5.2). */
export function encodeGeneralizedTime(time: Date): Uint8Array<ArrayBuffer> {
	return frame(tag.generalizedTime, encodeAscii(digitsOf(time)));
}

function digitsOf(time: Date): string {
	return `${time.toISOString().slice(0, 19).replaceAll(/\D/g, "")}Z`;
}

function encodeAscii(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}

/** The bytes are not the DER that was expected. Has no detail, because the bytes come from outside. */
export class DerError extends Error {
	override readonly name = "DerError";
}

/** Length fields of up to three bytes are read: contents of up to 2^24 - 1 bytes. */
const LENGTH_BYTES_MAX = 3;

/**
 * Reads DER element by element: low tag numbers, and definite lengths in their shortest form (X.690 §10.1).
 * Every method throws a DerError when the next bytes are not what it reads.
 */
export class DerReader {
	readonly #bytes: Uint8Array;
	#offset = 0;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
	}

	/** Whether the next element has this tag. */
	nextIs(tagByte: number): boolean {
		return this.#bytes[this.#offset] === tagByte;
	}

	get atEnd(): boolean {
		return this.#offset === this.#bytes.length;
	}

	/** The contents of the next element. */
	read(tagByte: number): Uint8Array {
		return this.#take(tagByte).contents;
	}

	/** The next element including its tag and length. */
	readWhole(tagByte: number): Uint8Array {
		return this.#take(tagByte).whole;
	}

	/** A reader of the contents of the next element. */
	enter(tagByte: number): DerReader {
		return new DerReader(this.read(tagByte));
	}

	/** The contents of a BOOLEAN: one byte, 00 or FF (X.690 §11.1). */
	readBoolean(): boolean {
		const contents = this.read(0x01);
		if (contents.length !== 1 || (contents[0] !== 0x00 && contents[0] !== 0xff)) throw new DerError();
		return contents[0] === 0xff;
	}

	/** The contents of an INTEGER: at least one byte, and no more than the value needs (X.690 §8.3.2). */
	readInteger(): Uint8Array {
		const contents = this.read(0x02);
		const [first, second] = contents;
		const padded =
			second !== undefined && ((first === 0x00 && second < 0x80) || (first === 0xff && second >= 0x80));
		if (first === undefined || padded) throw new DerError();
		return contents;
	}

	/** @throws DerError when bytes are left */
	end(): void {
		if (!this.atEnd) throw new DerError();
	}

	#take(tagByte: number): { contents: Uint8Array; whole: Uint8Array } {
		const start = this.#offset;
		if (this.#bytes[start] !== tagByte) throw new DerError();
		const { length, headerEnd } = this.#readLength(start + 1);
		const end = headerEnd + length;
		if (end > this.#bytes.length) throw new DerError();
		this.#offset = end;
		return {
			contents: this.#bytes.subarray(headerEnd, end),
			whole: this.#bytes.subarray(start, end),
		};
	}

	#readLength(at: number): { length: number; headerEnd: number } {
		const first = this.#bytes[at];
		if (first === undefined) throw new DerError();
		if (first < 0x80) return { length: first, headerEnd: at + 1 };
		const count = first & 0x7f;
		if (count === 0 || count > LENGTH_BYTES_MAX) throw new DerError();
		const bytes = this.#bytes.subarray(at + 1, at + 1 + count);
		const length = bytes.reduce((value, byte) => value * 256 + byte, 0);
		const shortest = length >= 0x80 && bytes[0] !== 0;
		if (bytes.length !== count || !shortest) throw new DerError();
		return { length, headerEnd: at + 1 + count };
	}
}
