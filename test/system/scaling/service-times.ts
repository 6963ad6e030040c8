import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Random } from "./random.ts";

/** Percentiles and mean, milliseconds. */
export interface Times {
	p50: number;
	p95: number;
	p99: number;
	mean: number;
}

export const CALLS = ["status", "list", "listFiltered", "bulk", "request", "claim"] as const;
export type CallName = (typeof CALLS)[number];

/** What `npm run bench` measured of each call: docs/figures/service-times.json. */
export interface ServiceTimes {
	at: string;
	machine: string;
	calls: Record<
		CallName,
		{
			d1: {
				roundTrips: number;
				/** One round trip, measured around it. */
				ms: Times;
				/** How long the database is taken by each of them, as it says itself. */
				sqlMsByTrip: Times[];
				rowsRead: number;
				rowsWritten: number;
			};
		}
	>;
	/** Octets of a code, and what its certificate adds. */
	bytesPerCode: number;
	bytesPerCertificate: number;
}

const FIGURES = join(import.meta.dirname, "../../../docs/figures");

/** @param file - other times than the committed ones. */
export async function readServiceTimes(file = join(FIGURES, "service-times.json")): Promise<ServiceTimes> {
	return JSON.parse(await readFile(file, "utf8"));
}

/** Milliseconds, by chance. */
export type Sampler = (random: Random) => number;

/**
 * Times with these percentiles and this mean: straight lines between the percentiles, the highest time chosen so that
 * the mean is right. Percentiles of a coarse clock can be too high for their mean; then all are lowered alike.
 */
export function createSampler({ p50, p95, p99, mean }: Times): Sampler {
	const knots: Knot[] = [
		[0, p50 / 2],
		[0.5, p50],
		[0.95, p95],
		[0.99, p99],
		[1, p99],
	];
	knots[4]![1] = Math.max(p99, p99 + (2 * (mean - meanOf(knots))) / 0.01);
	const scale = mean / meanOf(knots);
	return (random) => {
		const share = random();
		const i = share < 0.5 ? 1 : share < 0.95 ? 2 : share < 0.99 ? 3 : 4;
		const [from, low] = knots[i - 1]!;
		const [to, high] = knots[i]!;
		return scale * (low + ((share - from) / (to - from)) * (high - low));
	};
}

type Knot = [share: number, ms: number];

function meanOf(knots: readonly Knot[]): number {
	let mean = 0;
	for (let i = 1; i < knots.length; i++)
		mean += (knots[i]![0] - knots[i - 1]![0]) * ((knots[i]![1] + knots[i - 1]![1]) / 2);
	return mean;
}
