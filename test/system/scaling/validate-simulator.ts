import { seededRandom } from "../../unit/domain/seeded-random.ts";
import { meanWait } from "./queueing-theory.ts";
import { exponential, type Random } from "./random.ts";
import { runQueues } from "./run-queues.ts";

export interface Validation {
	queue: "M/M/1" | "M/D/1";
	utilisation: number;
	/** Mean wait by theory and in the simulation, in service times. */
	theory: number;
	simulated: number;
	/** Half of the 99.9 % confidence interval around `simulated`. */
	halfWidth: number;
	agrees: boolean;
}

const REPLICATIONS = 30;
/** Student's t, 29 degrees of freedom, 99.9 % two-sided. */
const T = 3.659;

/** The simulator's own queue, fed with what theory has exact answers for. @param calls - in each of 30 replications. */
export function validateSimulator(calls: number, seed: number): Validation[] {
	return ([0.5, 0.7, 0.9] as const).flatMap((utilisation) =>
		(["M/M/1", "M/D/1"] as const).map((queue): Validation => {
			const isExponential = queue === "M/M/1";
			const service = (random: Random) => (isExponential ? exponential(random, 1) : 1);
			const means = Array.from({ length: REPLICATIONS }, (_, n) =>
				meanOfRun(calls, utilisation, service, seed + n),
			);
			const simulated = means.reduce((sum, mean) => sum + mean, 0) / REPLICATIONS;
			const variance = means.reduce((sum, mean) => sum + (mean - simulated) ** 2, 0) / (REPLICATIONS - 1);
			const halfWidth = T * Math.sqrt(variance / REPLICATIONS);
			const theory = meanWait(utilisation, 1, isExponential ? 1 : 0);
			return {
				queue,
				utilisation,
				theory,
				simulated,
				halfWidth,
				agrees: Math.abs(simulated - theory) <= halfWidth,
			};
		}),
	);
}

function meanOfRun(
	calls: number,
	utilisation: number,
	service: (random: Random) => number,
	seed: number,
): number {
	const random = seededRandom(seed * 7919);
	const at = new Float64Array(calls);
	for (let n = 0, now = 0; n < calls; n++) {
		now += exponential(random, 1 / utilisation);
		at[n] = now;
	}
	const zeros = new Uint8Array(calls);
	const arrivals = { at, kind: zeros, partner: new Uint32Array(calls), missed: zeros };
	let sum = 0;
	let counted = 0;
	let seen = 0;
	runQueues(
		arrivals,
		{ trips: [[{ to: "own", service, before: () => 0 }]], database: [0], databases: 1, random },
		(_kind, _database, ms) => {
			// The queue begins empty: its first tenth is left out.
			if (seen++ < calls / 10) return;
			sum += ms;
			counted++;
		},
	);
	return sum / counted;
}
