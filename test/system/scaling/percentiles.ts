const LOWEST_MS = 0.01;
const GROWTH = 1.02;
const BUCKETS = 1_000;

/** Counts times in buckets that grow by 2 %: any percentile to 2 %, in constant space. Milliseconds. */
export class Percentiles {
	readonly #counts = new Float64Array(BUCKETS);
	#n = 0;
	#sum = 0;

	add(ms: number): void {
		const bucket = ms <= LOWEST_MS ? 0 : 1 + Math.floor(Math.log(ms / LOWEST_MS) / Math.log(GROWTH));
		this.#counts[Math.min(bucket, BUCKETS - 1)]!++;
		this.#n++;
		this.#sum += ms;
	}

	get count(): number {
		return this.#n;
	}

	get mean(): number {
		return this.#n === 0 ? 0 : this.#sum / this.#n;
	}

	/** The time below which a share of the times lies; 0 for anything below a hundredth of a millisecond. */
	at(share: number): number {
		let below = 0;
		for (let bucket = 0; bucket < BUCKETS; bucket++) {
			below += this.#counts[bucket]!;
			if (below >= share * this.#n) return bucket === 0 ? 0 : LOWEST_MS * GROWTH ** (bucket - 0.5);
		}
		return Number.POSITIVE_INFINITY;
	}
}
