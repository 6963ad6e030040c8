/* What theory says of one server that takes Poisson arrivals first come, first served. */

/**
 * Mean time in the queue by Pollaczek and Khinchine, in the unit of `mean`.
 * @param utilisation - share of the time that the server is busy, below 1.
 * @param squaredVariation - variance of the service time over its squared mean: 1 is M/M/1, 0 is M/D/1.
 */
export function meanWait(utilisation: number, mean: number, squaredVariation: number): number {
	return (utilisation * mean * (1 + squaredVariation)) / (2 * (1 - utilisation));
}

/** M/M/1: the wait below which a share of the arrivals stays. */
export function waitPercentile(utilisation: number, mean: number, share: number): number {
	if (share <= 1 - utilisation) return 0;
	return (mean / (1 - utilisation)) * Math.log(utilisation / (1 - share));
}
