/** The octets are not the DER that was expected. Never says more: they are a stranger's. */
export class DerError extends Error {
	override readonly name = "DerError";
}

/** Longest length that is read, in octets of its own: 2^24 - 1 octets of contents. */
const LENGTH_OCTETS_MAX = 3;

/**
 * Reads DER element by element: low tag numbers, definite lengths in their shortest form (X.690 §10.1), nothing
 * left over. Every method throws a DerError when the octets do not go on as asked.
 */
export class DerReader {
	readonly #octets: Uint8Array;
	#offset = 0;

	constructor(octets: Uint8Array) {
		this.#octets = octets;
	}

	/** Whether the next element has this tag octet. */
	nextIs(tagOctet: number): boolean {
		return this.#octets[this.#offset] === tagOctet;
	}

	get atEnd(): boolean {
		return this.#offset === this.#octets.length;
	}

	/** The contents of the next element. */
	read(tagOctet: number): Uint8Array {
		return this.#take(tagOctet).contents;
	}

	/** The next element with its tag and length. */
	readWhole(tagOctet: number): Uint8Array {
		return this.#take(tagOctet).whole;
	}

	/** A reader of the contents of the next element. */
	enter(tagOctet: number): DerReader {
		return new DerReader(this.read(tagOctet));
	}

	/** The contents of a BOOLEAN: one octet, 00 or FF (X.690 §11.1). */
	readBoolean(): boolean {
		const contents = this.read(0x01);
		if (contents.length !== 1 || (contents[0] !== 0x00 && contents[0] !== 0xff)) throw new DerError();
		return contents[0] === 0xff;
	}

	/** The contents of an INTEGER: at least one octet, no more than the value needs (X.690 §8.3.2). */
	readInteger(): Uint8Array {
		const contents = this.read(0x02);
		const [first, second] = contents;
		const padded =
			second !== undefined && ((first === 0x00 && second < 0x80) || (first === 0xff && second >= 0x80));
		if (first === undefined || padded) throw new DerError();
		return contents;
	}

	/** @throws DerError when something is left */
	end(): void {
		if (!this.atEnd) throw new DerError();
	}

	#take(tagOctet: number): { contents: Uint8Array; whole: Uint8Array } {
		const start = this.#offset;
		if (this.#octets[start] !== tagOctet) throw new DerError();
		const { length, headerEnd } = this.#readLength(start + 1);
		const end = headerEnd + length;
		if (end > this.#octets.length) throw new DerError();
		this.#offset = end;
		return {
			contents: this.#octets.subarray(headerEnd, end),
			whole: this.#octets.subarray(start, end),
		};
	}

	#readLength(at: number): { length: number; headerEnd: number } {
		const first = this.#octets[at];
		if (first === undefined) throw new DerError();
		if (first < 0x80) return { length: first, headerEnd: at + 1 };
		const count = first & 0x7f;
		if (count === 0 || count > LENGTH_OCTETS_MAX) throw new DerError();
		const octets = this.#octets.subarray(at + 1, at + 1 + count);
		const length = octets.reduce((value, octet) => value * 256 + octet, 0);
		const shortest = length >= 0x80 && octets[0] !== 0;
		if (octets.length !== count || !shortest) throw new DerError();
		return { length, headerEnd: at + 1 + count };
	}
}
