import { seededRandom } from "../../unit/domain/seeded-random.ts";
import { ALL_KINDS, UPKEEP_KIND } from "./make-calls.ts";
import { Percentiles } from "./percentiles.ts";
import { type Arrivals, runQueues, type Trip } from "./run-queues.ts";

export interface Queueing {
	databases: number;
	/** Share of the time that the mean database, the busiest, and the directory's busiest part work. */
	utilisation: { mean: number; busiest: number; directory: number };
	/** Time in queues a call of partners and relying parties, milliseconds. */
	all: { p50: number; p99: number; p999: number; mean: number };
	byKind: Record<string, { p50: number; p99: number; p999: number }>;
	/** The 99th percentile among the calls of the worst database. */
	worstP99: number;
	/** The busiest database was still working this long after the last call came: it does not keep up. */
	backlogMs: number;
}

/** One run of the stated demand through databases that partners were placed in. */
export function simulate(
	arrivals: Arrivals,
	spread: { trips: readonly (readonly Trip[])[]; database: Uint32Array; databases: number; seed: number },
): Queueing {
	const { databases } = spread;
	const all = new Percentiles();
	const kinds = ALL_KINDS.map(() => new Percentiles());
	const places = Array.from({ length: databases }, () => new Percentiles());
	const { busy, freeAt } = runQueues(
		arrivals,
		{ ...spread, random: seededRandom(spread.seed) },
		(kind, database, ms) => {
			kinds[kind]!.add(ms);
			if (kind === UPKEEP_KIND) return;
			all.add(ms);
			places[database]!.add(ms);
		},
	);
	const end = arrivals.at.at(-1) ?? 0;
	const own = busy.subarray(0, databases);
	const shares = Array.from(own, (ms) => ms / Math.max(end, Math.max(...freeAt)));
	return {
		databases,
		utilisation: {
			mean: shares.reduce((sum, share) => sum + share, 0) / databases,
			busiest: Math.max(...shares),
			directory: Math.max(...busy.subarray(databases)) / end,
		},
		all: { ...told(all), mean: all.mean },
		byKind: Object.fromEntries(ALL_KINDS.map((kind, n) => [kind, told(kinds[n]!)])),
		worstP99: Math.max(...places.filter(({ count }) => count > 0).map((place) => place.at(0.99))),
		backlogMs: Math.max(0, Math.max(...freeAt) - end),
	};
}

function told(waits: Percentiles) {
	return { p50: waits.at(0.5), p99: waits.at(0.99), p999: waits.at(0.999) };
}
