/** Uniform in [0, 1), the same sequence for the same seed. */
export type Random = () => number;

/** Exponential with this mean. */
export function exponential(random: Random, mean: number): number {
	return -mean * Math.log(1 - random());
}

/** Log-normal with this median; `spread` is the factor between the median and the 84th percentile. */
export function logNormal(random: Random, median: number, spread: number): number {
	const radius = Math.sqrt(-2 * Math.log(1 - random()));
	return median * spread ** (radius * Math.cos(2 * Math.PI * random()));
}

/** Draws indexes in proportion to weights in constant time (Walker's alias method). */
export function createChooser(weights: readonly number[]): (random: Random) => number {
	const n = weights.length;
	const total = weights.reduce((sum, weight) => sum + weight, 0);
	const share = weights.map((weight) => (weight * n) / total);
	const alias = new Int32Array(n);
	const small: number[] = [];
	const large: number[] = [];
	for (let i = 0; i < n; i++) (share[i]! < 1 ? small : large).push(i);
	while (small.length > 0 && large.length > 0) {
		const less = small.pop()!;
		const more = large.at(-1)!;
		alias[less] = more;
		share[more]! += share[less]! - 1;
		if (share[more]! < 1) small.push(large.pop()!);
	}
	for (const i of [...small, ...large]) share[i] = 1;
	return (random) => {
		const at = random() * n;
		const i = Math.floor(at);
		return at - i < share[i]! ? i : alias[i]!;
	};
}
