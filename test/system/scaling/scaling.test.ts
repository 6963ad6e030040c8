import { describe, expect, test } from "vitest";
import { seededRandom } from "../../unit/domain/seeded-random.ts";
import { EventQueue } from "./event-queue.ts";
import { explore } from "./explore.ts";
import { addUpkeep, makeCalls, UPKEEP_KIND } from "./make-calls.ts";
import { modelOfMove } from "./move-model.ts";
import { ALL_SAFEGUARDS } from "./move-state.ts";
import { Percentiles } from "./percentiles.ts";
import { failureOf, LEFT_OUT } from "./prove-move.ts";
import { meanWait, waitPercentile } from "./queueing-theory.ts";
import { exponential } from "./random.ts";
import { runQueues } from "./run-queues.ts";
import { CALLS, type CallName, createSampler, type ServiceTimes } from "./service-times.ts";
import { Peak, VARIANTS } from "./spread-load.ts";
import { codesASecond, STATED_LOAD, sharesOfPartners } from "./stated-load.ts";
import { refreshTables } from "./tables.ts";
import { validateSimulator } from "./validate-simulator.ts";

describe("a partner moves to another database", () => {
	test.each(Object.entries(LEFT_OUT))(
		"without %s the model finds what that lets happen",
		(_, { change, fails }) => {
			const size = { writers: 1, writes: 1, movers: 2 };
			const { trace, states } = explore(modelOfMove({ ...ALL_SAFEGUARDS, ...change }, size));
			expect(failureOf(trace)).toBe(fails);
			expect(states).toBeGreaterThan(fails === null ? 20_000 : 1_000);
		},
	);

	test("the search finds a state from which nothing leads to rest", () => {
		const next = (n: number) =>
			n === 2 ? [] : [1, 2].map((by) => ({ label: `+${by}`, state: Math.min(n + by, 3) }));
		const model = { start: 0, key: String, next, broken: () => null, isGoal: (n: number) => n === 3 };
		expect(explore(model).trace).toEqual(["+2", expect.stringContaining("stuck")]);
	});
});

describe("the simulator", () => {
	test("waits as theory says in M/M/1 and M/D/1, and would not pass for one that serves ten percent slower", () => {
		for (const { queue, utilisation, theory, simulated, halfWidth, agrees } of validateSimulator(20_000, 1)) {
			expect(agrees, `${simulated} ± ${halfWidth}, theory ${theory}`).toBe(true);
			const slower = meanWait(utilisation * 1.1, 1.1, queue === "M/M/1" ? 1 : 0);
			expect(slower - simulated).toBeGreaterThan(halfWidth);
		}
	});

	test("has the 99th percentile of M/M/1", () => {
		const random = seededRandom(3);
		const n = 400_000;
		const at = new Float64Array(n);
		for (let i = 1; i < n; i++) at[i] = at[i - 1]! + exponential(random, 1 / 0.5);
		const waits = new Percentiles();
		const zeros = new Uint8Array(n);
		runQueues(
			{ at, kind: zeros, partner: new Uint32Array(n), missed: zeros },
			{
				trips: [[{ to: "own", service: (random) => exponential(random, 1), before: () => 0 }]],
				database: [0],
				databases: 1,
				random,
			},
			(_kind, _database, ms) => waits.add(ms),
		);
		expect(waits.at(0.99) / waitPercentile(0.5, 1, 0.99)).toBeCloseTo(1, 1);
	});

	test("takes events in the order of their times", () => {
		const random = seededRandom(5);
		const queue = new EventQueue();
		const times = Array.from({ length: 1_000 }, () => random());
		for (const [n, at] of times.entries()) queue.push(at, n);
		const taken = Array.from(times, () => times[queue.pop()]!);
		expect(taken).toEqual(times.toSorted((a, b) => a - b));
	});

	test("draws times with the measured mean and percentiles", () => {
		const measured = { p50: 1, p95: 6, p99: 9, mean: 2.6 };
		const sampler = createSampler(measured);
		const random = seededRandom(7);
		const drawn = Array.from({ length: 200_000 }, () => sampler(random)).sort((a, b) => a - b);
		const mean = drawn.reduce((sum, ms) => sum + ms, 0) / drawn.length;
		expect(mean / measured.mean).toBeCloseTo(1, 1);
		expect(drawn[100_000]! / measured.p50).toBeCloseTo(1, 1);
		expect(drawn[190_000]! / measured.p95).toBeCloseTo(1, 1);
	});
});

describe("the stated load", () => {
	test("nobody has more than the contract's ten requests a minute, and the shares are whole", () => {
		const shares = sharesOfPartners(STATED_LOAD);
		expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
		const requests = shares[0]! * codesASecond(STATED_LOAD) * STATED_LOAD.requestsPerCode * 60;
		expect(requests).toBeLessThanOrEqual(STATED_LOAD.requestsAMinute);
		expect(shares[0]! / shares.at(-1)!).toBeGreaterThan(20);
	});

	test("comes in order, with as many runs of upkeep as a window has", () => {
		const { arrivals } = makeCalls({ ...STATED_LOAD, codesAYear: 1e7 }, 60_000, 1);
		const { at, kind, partner } = addUpkeep(arrivals, STATED_LOAD, 180, 1);
		expect(at).toEqual(at.toSorted());
		const upkept = [...partner].filter((_, n) => kind[n] === UPKEEP_KIND).sort((a, b) => a - b);
		expect(upkept).toEqual([0, 1, 2].map((n) => STATED_LOAD.partners + n));
	});

	test("is the same for the same seed, and queues less in more databases", () => {
		const run = (databases: number, seed = 1) =>
			new Peak(SLOW, { minutes: 0.5, seed }).spread(VARIANTS[0]!, databases, "two choices").queueing;
		expect(run(4)).toEqual(run(4));
		expect(run(4)).not.toEqual(run(4, 2));
		expect(run(1).utilisation.busiest).toBeGreaterThan(0.3);
		expect(run(16).all.p99).toBeLessThan(run(1).all.p99);
	});
});

test("tables take their place in the text, and a section without a table is an error", () => {
	const text = "a\n<!-- scaling:bytes -->\nold\n<!-- /scaling -->\nb";
	expect(refreshTables(text, { bytes: "| new |" })).toBe(
		"a\n<!-- scaling:bytes -->\n\n| new |\n\n<!-- /scaling -->\nb",
	);
	expect(() => refreshTables(text, {})).toThrow("bytes");
});

/** Half a millisecond for every round trip. */
const SLOW = {
	calls: Object.fromEntries(
		CALLS.map((call: CallName) => {
			const ms = { p50: 0.5, p95: 1, p99: 2, mean: 0.6 };
			return [call, { d1: { roundTrips: 1, ms, sqlMsByTrip: [ms], rowsRead: 1, rowsWritten: 0 } }];
		}),
	),
} as unknown as ServiceTimes;
