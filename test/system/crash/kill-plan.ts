import { Random } from "./random.ts";
import { type Manner, OF_RECOVERY, type Scenario, STEPS, type Step } from "./steps.ts";

/**
 * Recovery of the leases that a kill leaves behind: their alarms, in a service whose clock is past the lease; the next
 * calls; or their alarms at their own time, after a wait of a minute.
 */
export type RecoveredBy = "alarm" | "call" | "real-alarm";

export interface Kill {
	/** Null: at a random moment. */
	step: Step | null;
	/** The how manyth time that the step is passed. */
	nth: number;
	manner: Manner;
	/** Scenario of half of the clients; null: free choice. */
	towards: Scenario | null;
	/** Whether it falls into the service's start and recovery, or into the load. */
	during: "recovery" | "load";
	/** A random moment: after so many milliseconds. */
	afterMs: number;
	recoveredBy: RecoveredBy;
}

const ALL_STEPS = Object.keys(STEPS) as Step[];
const LOAD_MS = 1_200;
const RECOVERY_MS = 500;
const RANDOM_SHARE = 0.3;
const RANDOM_IN_RECOVERY = 0.2;
/** Always leaves a lease behind, for a kill while it is recovered. */
const LEAVES_LEASE: Step = "after-signing";

/**
 * The named steps in turn and three random moments in ten kills, in random order.
 * @param realWaits - so many kills are followed by a real minute.
 * @returns the kills of each fixture.
 */
export function planKills(
	seed: number,
	{ kills, perState, realWaits }: { kills: number; perState: number; realWaits: number },
): Kill[][] {
	const random = new Random(seed);
	const units = Array.from({ length: Math.round(kills * RANDOM_SHARE) }, () => [atRandom(random)]);
	for (let turn = 0; units.flat().length < kills; turn++)
		units.push(atStep(random, ALL_STEPS[turn % ALL_STEPS.length]!, Math.floor(turn / ALL_STEPS.length)));
	const leaving = random.shuffle(units.flat().filter(({ step }) => step === LEAVES_LEASE));
	for (const kill of leaving.slice(0, realWaits)) kill.recoveredBy = "real-alarm";
	const fixtures: Kill[][] = [[]];
	for (const unit of random.shuffle(units)) {
		if (fixtures.at(-1)!.length >= perState) fixtures.push([]);
		fixtures.at(-1)!.push(...unit);
	}
	return fixtures;
}

/** One fixture: each of these steps once, and so many random moments. */
export function planOneEach(seed: number, steps: readonly Step[], randomKills: number): Kill[] {
	const random = new Random(seed);
	const units = Array.from({ length: randomKills }, () => [atRandom(random)]);
	return random.shuffle([...units, ...steps.map((step) => atStep(random, step, random.below(6)))]).flat();
}

/** @param round - the manners of a step take turns. */
function atStep(random: Random, step: Step, round: number): Kill[] {
	const { manners, by } = STEPS[step];
	const isOfRecovery = OF_RECOVERY.includes(step);
	const kill: Kill = {
		step,
		nth: isOfRecovery ? 1 : 1 + random.below(3),
		manner: manners[round % manners.length]!,
		towards: by,
		during: isOfRecovery ? "recovery" : "load",
		afterMs: 0,
		recoveredBy: random.chance(0.5) ? "alarm" : "call",
	};
	return isOfRecovery ? [...atStep(random, LEAVES_LEASE, round), kill] : [kill];
}

function atRandom(random: Random): Kill {
	const during = random.chance(RANDOM_IN_RECOVERY) ? "recovery" : "load";
	return {
		step: null,
		nth: 0,
		manner: "flight",
		towards: null,
		during,
		afterMs: random.below(during === "recovery" ? RECOVERY_MS : LOAD_MS),
		recoveredBy: random.chance(0.5) ? "alarm" : "call",
	};
}
