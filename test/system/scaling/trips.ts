import { ALL_KINDS } from "./make-calls.ts";
import { logNormal, type Random } from "./random.ts";
import type { Trip } from "./run-queues.ts";
import { createSampler, type Sampler, type ServiceTimes } from "./service-times.ts";
import type { StatedLoad } from "./stated-load.ts";

/** Between Worker or object and a database nearby, both ways. Moves no queue, only arrivals. */
const HOP_MS = 2;

/** What a call waits for between its round trips: the civil registry, and the search for an RSA key. */
const BETWEEN: Partial<Record<string, (random: Random) => number>> = {
	"request 2": (random) => logNormal(random, 250, 2),
	"claim 1": (random) => logNormal(random, 50, 1.8),
};

/** How long the database is taken: by what it says itself, or by the whole round trip that was measured around it. */
export type Taken = "sql" | "round trip";

/** The round trips of each kind of call, service times multiplied by `factor`. The key's are there if its cache missed. */
export function tripsOfCalls(
	times: ServiceTimes,
	{ upkeepMs }: StatedLoad,
	taken: Taken,
	factor: number,
): Trip[][] {
	const samplers = (name: keyof ServiceTimes["calls"]): Sampler[] => {
		const { sqlMsByTrip, ms } = times.calls[name].d1;
		return sqlMsByTrip.map((sql) => createSampler(taken === "sql" ? sql : ms));
	};
	const [lookUp] = samplers("status");
	const scaled = (sampler: Sampler) => (random: Random) => factor * sampler(random);
	const hop = () => HOP_MS;
	const key: Trip[] = [
		{ to: "directory", service: scaled(lookUp!), before: hop },
		{ to: "own-if-missed", service: scaled(lookUp!), before: hop },
	];
	const upkeep = upkeepMs.map((ms): Trip => ({ to: "own", service: () => factor * ms, before: hop }));
	return ALL_KINDS.map((kind) => {
		if (kind === "upkeep") return upkeep;
		const own = samplers(kind === "ocsp" ? "status" : kind).map((sampler, n): Trip => {
			const between = BETWEEN[`${kind} ${n}`];
			return {
				to: "own",
				service: scaled(sampler),
				before: between ? (random) => HOP_MS + between(random) : hop,
			};
		});
		return kind === "ocsp" ? own : [...key, ...own];
	});
}
