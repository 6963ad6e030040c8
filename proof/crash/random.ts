/** A generator whose every run can be repeated (mulberry32). */
export class Random {
	#state: number;

	constructor(seed: number) {
		this.#state = seed >>> 0;
	}

	/** From 0 up to 1. */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	}

	/** A whole number from 0 up to `end`, without it. */
	below(end: number): number {
		return Math.floor(this.next() * end);
	}

	chance(share: number): boolean {
		return this.next() < share;
	}

	pick<T>(from: readonly T[]): T {
		return from[this.below(from.length)]!;
	}

	shuffle<T>(list: readonly T[]): T[] {
		return list
			.map((item) => ({ item, key: this.next() }))
			.sort((a, b) => a.key - b.key)
			.map(({ item }) => item);
	}

	/** 26 characters that nobody else has. */
	token(): string {
		return Array.from({ length: 26 }, () => "0123456789abcdefghijklmnopqrstuv"[this.below(32)]).join("");
	}
}
