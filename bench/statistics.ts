/** The middle value; of an even number the mean of the middle two. */
export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

/** The shape of a distribution. */
export interface Spread {
	mean: number;
	p50: number;
	p95: number;
	p99: number;
}

export function spread(values: readonly number[]): Spread {
	const rounded = (value: number) => Math.round(value * 1000) / 1000;
	return {
		mean: rounded(mean(values)),
		p50: rounded(median(values)),
		p95: rounded(quantile(values, 0.95)),
		p99: rounded(quantile(values, 0.99)),
	};
}

const RESAMPLES = 2_000;

/** 95 % percentile bootstrap of a statistic over several sets of samples, each resampled on its own. */
export function bootstrapInterval(
	samples: readonly (readonly number[])[],
	statistic: (resampled: readonly (readonly number[])[]) => number,
): [number, number] {
	const values = Array.from({ length: RESAMPLES }, () => statistic(samples.map(resample)));
	return [quantile(values, 0.025), quantile(values, 0.975)];
}

function resample(values: readonly number[]): number[] {
	return values.map(() => values[Math.floor(Math.random() * values.length)]!);
}
