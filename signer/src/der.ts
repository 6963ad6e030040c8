import { demand } from "./refusal.ts";

/** Tags that are read and written here (X.690 §8.1.2), as numbers. */
export const TAG = Object.freeze({
	...{ boolean: 0x01, integer: 0x02, bits: 0x03, octets: 0x04, null: 0x05, oid: 0x06, enumerated: 0x0a },
	...{ utf8: 0x0c, printable: 0x13, ia5: 0x16, utcTime: 0x17, generalizedTime: 0x18 },
	...{ sequence: 0x30, set: 0x31 },
});

/**
 * Walks over DER, one element after the other: lengths are definite and in their shortest form (X.690 §10.1), tags of
 * one byte. Every method refuses what it does not expect, and `end` refuses what nobody read.
 */
export class Walk {
	readonly #bytes: Uint8Array;
	#at = 0;

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
	}

	/** Reads all of the bytes as one element. */
	static over<T>(bytes: Uint8Array, tag: number, read: (contents: Walk) => T): T {
		const walk = new Walk(bytes);
		const result = walk.into(tag, read);
		walk.end();
		return result;
	}

	/** Reads all of the contents of the next element. */
	into<T>(tag: number, read: (contents: Walk) => T): T {
		const contents = new Walk(this.take(tag));
		const result = read(contents);
		contents.end();
		return result;
	}

	/** Tag of the next element; undefined at the end. */
	get next(): number | undefined {
		return this.#bytes[this.#at];
	}

	/** The next element with its header. */
	whole(tag: number): Uint8Array {
		const start = this.#at;
		this.take(tag);
		return this.#bytes.subarray(start, this.#at);
	}

	/** Contents of the next element. */
	take(tag: number): Uint8Array {
		demand(this.next === tag, "NOT_DER", `Send an element with the tag ${tag} here.`);
		const first = this.#bytes[this.#at + 1] ?? 0x80;
		const more = first < 0x80 ? 0 : first & 0x7f;
		demand(first !== 0x80 && more <= 3, "NOT_DER", "Send definite lengths.");
		const size = this.#bytes.subarray(this.#at + 2, this.#at + 2 + more);
		const length = more === 0 ? first : size.reduce((sum, byte) => sum * 256 + byte, 0);
		const isShortest = more === 0 || (length >= 0x80 && size[0] !== 0);
		demand(isShortest, "NOT_DER", "Send lengths in their shortest form.");
		const start = this.#at + 2 + more;
		this.#at = start + length;
		demand(this.#at <= this.#bytes.length, "NOT_DER", "Send elements to their end.");
		return this.#bytes.subarray(start, this.#at);
	}

	/** Contents of a non-negative INTEGER in its shortest form (X.690 §8.3.2). */
	integer(): Uint8Array {
		const bytes = this.take(TAG.integer);
		const [first = 0xff, second = 0xff] = bytes;
		const isShortest = first > 0 || second >= 0x80 || bytes.length === 1;
		demand(first < 0x80 && isShortest, "NOT_DER", "Send numbers in DER.");
		return bytes;
	}

	/** Bytes of a BIT STRING without unused bits. */
	bits(): Uint8Array {
		const bytes = this.take(TAG.bits);
		demand(bytes[0] === 0, "NOT_DER", "Send a key without unused bits.");
		return bytes.subarray(1);
	}

	/** Epoch milliseconds of a Time (RFC 5280 §4.1.2.5): UTCTime through 2049, GeneralizedTime after. */
	time(): number {
		const short = this.next === TAG.utcTime;
		const text = latin(this.take(short ? TAG.utcTime : TAG.generalizedTime));
		const digits = short ? `${text < "5" ? "20" : "19"}${text}` : text;
		const iso = digits.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6.000Z");
		const time = Date.parse(iso);
		// A day that is not in the calendar is read as another one.
		const isTime = !Number.isNaN(time) && new Date(time).toISOString() === iso && (short || text >= "2050");
		demand(isTime, "NOT_DER", "Send times of the calendar, until 2049 as UTCTime.");
		return time;
	}

	/** Reads each element that is left, in a list of its own. */
	each<T>(read: (walk: Walk) => T): T[] {
		const found: T[] = [];
		while (this.next !== undefined) found.push(read(this));
		return found;
	}

	end(): void {
		demand(this.next === undefined, "NOT_DER", "Send no bytes after the last element.");
	}
}

/** Text of bytes that are a character each. */
export function latin(bytes: Uint8Array): string {
	return Buffer.from(bytes).toString("latin1");
}

export function hex(bytes: Uint8Array): string {
	return Buffer.from(bytes).toString("hex");
}

export function same(one: Uint8Array, other: Uint8Array): boolean {
	return Buffer.compare(one, other) === 0;
}

/** DER of an element of up to 65,535 bytes; a text has a byte for each character. */
export function element(tag: number, ...parts: (Uint8Array | string)[]): Buffer {
	const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string, "latin1")));
	const { length } = bytes;
	const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
	const size = length < 0x80 ? [length] : long;
	return Buffer.concat([Buffer.from([tag, ...size]), bytes]);
}

/** DER of a SEQUENCE of these elements. */
export function sequence(...parts: Uint8Array[]): Buffer {
	return element(TAG.sequence, ...parts);
}

/** DER of a number, which is given without a sign. */
export function encodeInteger(bytes: Uint8Array): Buffer {
	const digits = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
	return element(TAG.integer, digits[0]! < 0x80 ? "" : "\0", digits);
}

/** DER of an object identifier. */
export function oid(dotted: string): Buffer {
	const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
	const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
		const septets = [arc % 128];
		for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
			septets.unshift(0x80 + (left % 128));
		return septets;
	});
	return element(TAG.oid, Buffer.from(bytes));
}
