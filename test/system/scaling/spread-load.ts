import { utilisationOfOne } from "./capacity.ts";
import { addUpkeep, makeCalls } from "./make-calls.ts";
import { imbalance, POLICIES } from "./place-partners.ts";
import { CALLS, type ServiceTimes } from "./service-times.ts";
import { type Queueing, simulate } from "./simulate.ts";
import { STATED_LOAD, type StatedLoad, sharesOfPartners } from "./stated-load.ts";
import { type Taken, tripsOfCalls } from "./trips.ts";

export const DATABASES = [1, 2, 4, 8, 16, 32, 64, 128, 256] as const;

/** How the databases' own time is taken, and what is left to them. */
export interface Variant {
	name: string;
	taken: Taken;
	factor: number;
	/** Filtered lists are answered elsewhere: by a replica, or from an own queue. */
	listsElsewhere?: boolean;
}

export const VARIANTS: readonly Variant[] = [
	{ name: "SQL time × 1", taken: "sql", factor: 1 },
	{ name: "SQL time × 2", taken: "sql", factor: 2 },
	{ name: "SQL time × 5", taken: "sql", factor: 5 },
	{ name: "whole round trip", taken: "round trip", factor: 1 },
	{ name: "× 1, filtered lists elsewhere", taken: "sql", factor: 1, listsElsewhere: true },
	{ name: "× 5, filtered lists elsewhere", taken: "sql", factor: 5, listsElsewhere: true },
];

export interface SpreadRun {
	variant: string;
	policy: string;
	queueing: Queueing;
	imbalance: number;
}

/** A window of the peak, the same calls for every spread of the partners. */
export class Peak {
	readonly #load: StatedLoad;
	readonly #times: ServiceTimes;
	readonly #calls: ReturnType<typeof makeCalls>;
	readonly #shares: number[];
	readonly #seed: number;

	constructor(
		times: ServiceTimes,
		{ load = STATED_LOAD, minutes, seed }: { load?: StatedLoad; minutes: number; seed: number },
	) {
		this.#load = load;
		this.#times = times;
		this.#seed = seed;
		this.#calls = makeCalls(load, minutes * 60_000, seed);
		this.#shares = sharesOfPartners(load);
	}

	get calls(): number {
		return this.#calls.arrivals.at.length;
	}

	get refused(): number {
		return this.#calls.refused;
	}

	/** Share of the calls whose isolate had no fresh placement of the key. */
	get missed(): number {
		return this.#calls.arrivals.missed.reduce((sum, missed) => sum + missed, 0) / this.calls;
	}

	spread(variant: Variant, databases: number, policy: keyof typeof POLICIES): SpreadRun {
		const placed = POLICIES[policy](this.#shares, databases);
		const own = Uint32Array.from({ length: databases }, (_, n) => n);
		const trips = tripsOfCalls(this.#times, this.#load, variant.taken, variant.factor);
		if (variant.listsElsewhere) trips[CALLS.indexOf("listFiltered")] = [];
		const queueing = simulate(addUpkeep(this.#calls.arrivals, this.#load, databases, this.#seed + 1), {
			trips,
			database: Uint32Array.from([...placed, ...own]),
			databases,
			seed: this.#seed + 2,
		});
		return { variant: variant.name, policy, queueing, imbalance: imbalance(this.#shares, placed, databases) };
	}
}

/** The fewest databases of those tried whose 99th percentile stays within a budget; null when none does. */
export function enough(runs: readonly SpreadRun[], budgetMs: number): number | null {
	const within = runs.find(({ queueing }) => queueing.all.p99 <= budgetMs);
	return within?.queueing.databases ?? null;
}

/** What one database does as its load grows: partners and codes in proportion. */
export function growOne(times: ServiceTimes, minutes: number, seed: number): Queueing[] {
	const all = Object.values(utilisationOfOne(times, STATED_LOAD)).reduce((sum, share) => sum + share, 0);
	return [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8].map((aim) => {
		const factor = aim / all;
		const load = {
			...STATED_LOAD,
			partners: Math.round(STATED_LOAD.partners * factor),
			codesAYear: STATED_LOAD.codesAYear * factor,
		};
		return new Peak(times, { load, minutes, seed }).spread(VARIANTS[0]!, 1, "hash").queueing;
	});
}
