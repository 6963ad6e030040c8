import { seededRandom } from "../../unit/domain/seeded-random.ts";
import { createChooser, exponential } from "./random.ts";
import type { Arrivals } from "./run-queues.ts";
import { CALLS, type CallName } from "./service-times.ts";
import { codesASecond, MINUTE_MS, type StatedLoad, sharesOfPartners, YEAR_S } from "./stated-load.ts";

const KIND = Object.fromEntries(CALLS.map((name, n) => [name, n])) as Record<CallName, number>;
/** Kinds behind those of the partners' calls. */
const OCSP_KIND = CALLS.length;
export const UPKEEP_KIND = CALLS.length + 1;
export const ALL_KINDS = [...CALLS, "ocsp", "upkeep"] as const;

/** Relying parties ask for the status of certificates this often for each code begun; caches answer the rest. */
const OCSP_PER_CODE = 2;
const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/** What the partners and the contract's limits make of a window of the peak. */
export interface Demand {
	arrivals: Arrivals;
	/** Calls that a limit refused; they reach no database. */
	refused: number;
}

/** @param durationMs - length of the window, all of it at the peak's rate. */
export function makeCalls(load: StatedLoad, durationMs: number, seed: number): Demand {
	const random = seededRandom(seed);
	const shares = sharesOfPartners(load);
	const choose = createChooser(shares);
	const calls: [at: number, kind: number, partner: number][] = [];
	const add = (at: number, kind: number, partner: number) => {
		if (at >= 0 && at < durationMs) calls.push([at, kind, partner]);
	};
	const poisson = (everyMs: number, from: number, happen: (at: number) => void) => {
		for (let at = from + exponential(random, everyMs); at < durationMs; at += exponential(random, everyMs))
			happen(at);
	};
	const everyMs = SECOND_MS / codesASecond(load);
	// Codes begun before the window still have their polls and claims in it.
	const flowMs = load.pollsPerCode * load.pollEveryMs + 5 * load.claimAfterMs;
	poisson(everyMs, -flowMs, (at) => {
		const partner = choose(random);
		const claimAt = at + exponential(random, load.claimAfterMs);
		for (let poll = 1; poll <= load.pollsPerCode; poll++)
			add(at + poll * load.pollEveryMs, KIND.status, partner);
		add(at, KIND.request, partner);
		if (random() < load.requestsPerCode - 1) add(at + load.claimAfterMs, KIND.request, partner);
		add(claimAt, KIND.claim, partner);
	});
	poisson(everyMs / OCSP_PER_CODE, 0, (at) => add(at, OCSP_KIND, choose(random)));
	poisson(HOUR_MS / (load.partners * load.listsPerPartnerHour), 0, (at) =>
		add(at, random() < 0.5 ? KIND.list : KIND.listFiltered, Math.floor(random() * load.partners)),
	);
	// Stock is bought over the whole year, not at the peak of its use: a code is made once, in batches of 500.
	const runsASecond = load.codesAYear / YEAR_S / 500 / load.bulkRun;
	poisson(SECOND_MS / runsASecond, 0, (at) => {
		const partner = choose(random);
		for (let n = 0; n < load.bulkRun; n++) add(at + n * 2_000, KIND.bulk, partner);
	});
	calls.sort((a, b) => a[0] - b[0]);
	return admit(calls, load, random);
}

/**
 * The same with the hourly upkeep of as many databases as have it in such a window, one at least, as a call of a partner
 * of its own: partner `partners` + n stands for database n.
 */
export function addUpkeep(
	arrivals: Arrivals,
	{ partners }: StatedLoad,
	databases: number,
	seed: number,
): Arrivals {
	const random = seededRandom(seed);
	const end = arrivals.at.at(-1) ?? 0;
	const upkept = Math.max(1, Math.round((databases * end) / HOUR_MS));
	const runs = Array.from({ length: upkept }, (_, n) => [random() * end, n] as const).sort(
		(a, b) => a[0] - b[0],
	);
	const size = arrivals.at.length + upkept;
	const merged = {
		at: new Float64Array(size),
		kind: new Uint8Array(size),
		partner: new Uint32Array(size),
		missed: new Uint8Array(size),
	};
	for (let to = 0, call = 0, run = 0; to < size; to++) {
		const next = runs[run];
		if (next && !(arrivals.at[call]! < next[0])) {
			merged.at[to] = next[0];
			merged.kind[to] = UPKEEP_KIND;
			merged.partner[to] = partners + next[1];
			run++;
			continue;
		}
		merged.at[to] = arrivals.at[call]!;
		merged.kind[to] = arrivals.kind[call]!;
		merged.partner[to] = arrivals.partner[call]!;
		merged.missed[to] = arrivals.missed[call]!;
		call++;
	}
	return merged;
}

/** Applies the contract's limits, and tells of each call whether its isolate still knows the key. */
function admit(calls: readonly [number, number, number][], load: StatedLoad, random: () => number): Demand {
	const { partners, isolates, keyMs } = load;
	const requests = Array.from({ length: partners }, () => [] as number[]);
	const minute = { ends: 0, calls: new Uint32Array(partners) };
	const knownUntil = new Float64Array(partners * isolates).fill(Number.NEGATIVE_INFINITY);
	const admitted = calls.filter(([at, kind, partner]) => {
		if (kind === OCSP_KIND) return true;
		if (at >= minute.ends) {
			minute.ends = (Math.floor(at / MINUTE_MS) + 1) * MINUTE_MS;
			minute.calls.fill(0);
		}
		if (kind !== KIND.request) return ++minute.calls[partner]! <= load.callsAMinute;
		const recent = requests[partner]!;
		if (recent.length >= load.requestsAMinute && at - recent.at(-load.requestsAMinute)! < MINUTE_MS)
			return false;
		recent.push(at);
		return true;
	});
	const missed = Uint8Array.from(admitted, ([at, kind, partner]) => {
		const place = partner * isolates + Math.floor(random() * isolates);
		if (kind === OCSP_KIND || knownUntil[place]! > at) return 0;
		knownUntil[place] = at + keyMs;
		return 1;
	});
	return {
		arrivals: {
			at: Float64Array.from(admitted, ([at]) => at),
			kind: Uint8Array.from(admitted, ([, kind]) => kind),
			partner: Uint32Array.from(admitted, ([, , partner]) => partner),
			missed,
		},
		refused: calls.length - admitted.length,
	};
}
