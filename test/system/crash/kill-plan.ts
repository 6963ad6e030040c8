import { Random } from "./random.ts";
import { type Direction, LEFT_BY, type Manner, type Scenario, STEPS, type Step } from "./steps.ts";

/**
 * Recovery of the leases that a kill leaves behind: their alarms, in a service whose clock is past the lease; the next
 * calls; or their alarms at their own time, after a wait of a minute.
 */
export type RecoveredBy = "alarm" | "call" | "real-alarm";

export interface Kill {
	/** Null: at a random moment. */
	step: Step | null;
	/** Number of the passage of the step at which it happens, from 1 on. */
	nth: number;
	manner: Manner;
	/** Scenario of half of the clients; null: free choice. */
	towards: Scenario | null;
	/** Whether it falls into the service's start and recovery, or into the load. */
	during: "recovery" | "load";
	/** A random moment: after so many milliseconds. */
	afterMs: number;
	recoveredBy: RecoveredBy;
	/** How a partner moves meanwhile; not given: none does. */
	moves?: Direction;
}

const ALL_STEPS = Object.keys(STEPS) as Step[];
const LOAD_MS = 1_200;
const RECOVERY_MS = 500;
const RANDOM_SHARE = 0.3;
const RANDOM_IN_RECOVERY = 0.2;
/** Share of the other kills with a move on its way. */
const MOVING = 0.25;
/** Always leaves a lease behind. */
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
	const steps = random.shuffle(ALL_STEPS);
	for (let turn = 0; units.flat().length < kills; turn++)
		units.push(atStep(random, steps[turn % steps.length]!, Math.floor(turn / steps.length)));
	for (const kill of units.flat())
		if (kill.during === "load" && !kill.moves && random.chance(MOVING))
			kill.moves = random.pick(["away", "back", "given up"] as const);
	const leaving = random.shuffle(units.flat().filter(({ step }) => step === LEAVES_LEASE));
	for (const kill of leaving.slice(0, realWaits)) kill.recoveredBy = "real-alarm";
	const fixtures: Kill[][] = [[]];
	for (const unit of random.shuffle(units)) {
		if (fixtures.at(-1)!.length >= perState) fixtures.push([]);
		fixtures.at(-1)!.push(...unit);
	}
	return fixtures;
}

/** One fixture: each of these steps once, and a random moment. */
export function planOneEach(seed: number, steps: readonly Step[]): Kill[] {
	const random = new Random(seed);
	const units = [[atRandom(random)]];
	return random.shuffle([...units, ...steps.map((step) => atStep(random, step, random.below(6)))]).flat();
}

/** @param round - the manners of a step take turns. */
function atStep(random: Random, step: Step, round: number): Kill[] {
	const { manners, by, moves } = STEPS[step];
	const left = LEFT_BY[step];
	const kill: Kill = {
		step,
		// The acts of a move are passed twice.
		nth: left ? 1 : 1 + random.below(moves ? 2 : 3),
		manner: manners[round % manners.length]!,
		towards: by,
		during: left ? "recovery" : "load",
		afterMs: 0,
		recoveredBy: random.chance(0.5) ? "alarm" : "call",
		...(moves && { moves }),
	};
	return left ? [...atStep(random, left, round).map((earlier) => ({ ...earlier, nth: 1 })), kill] : [kill];
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

/** Counts what the host itself sees of a step. */
export function passed(kill: Kill, step: Kill["step"], onStep: () => void): () => boolean {
	let left = kill.step === step ? kill.nth : 0;
	return () => {
		if (left === 0 || --left > 0) return false;
		onStep();
		return true;
	};
}
