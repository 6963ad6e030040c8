import { seededRandom } from "../../support/seeded-random.ts";

/** A generator whose every run can be repeated. */
export class Random {
	/** Next number from 0 up to 1. */
	readonly next: () => number;

	constructor(seed: number) {
		this.next = seededRandom(seed);
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
