import type { Model } from "./explore.ts";
import { callerSteps } from "./move-callers.ts";
import { keyOf, type MoveState, type Safeguards, type Size, startOfMove } from "./move-state.ts";
import { moverSteps } from "./move-steps.ts";

/**
 * A partner moves from one database to another while a code of its is written and read, by callers whose placement may
 * be old, over messages that may be late, with movers that die, come again, or only seem dead.
 */
export function modelOfMove(safeguards: Safeguards, size: Size): Model<MoveState> {
	return {
		start: startOfMove(size),
		next: (state) => [...callerSteps(state, safeguards), ...moverSteps(state, safeguards)],
		key: keyOf,
		broken: brokenPromise,
		isGoal: isAtRest,
	};
}

function brokenPromise(state: MoveState): string | null {
	const { A, B, acknowledged, abandoned, staleRead } = state;
	if (A.tenure === "open" && B.tenure === "open") return "two writers: open in both databases";
	if (!A.chain.startsWith(B.chain) && !B.chain.startsWith(A.chain))
		return `two writers: A has the history ${A.chain}, B ${B.chain}`;
	const truth = (B.tenure === "open" ? B : A).chain;
	const lost = [...acknowledged].find((id) => !truth.includes(id));
	if (lost !== undefined) return `lost write: ${lost} was acknowledged and is not in the register`;
	const undead = [...abandoned].find((id) => truth.includes(id));
	if (undead !== undefined) return `undead write: ${undead} was given up for good and is in the register`;
	return staleRead === null ? null : `stale read: ${staleRead}`;
}

/** One database is open, the directory names it, nobody is in doubt, and no mover is under way. */
function isAtRest({ A, B, directory, writers, movers }: MoveState): boolean {
	const place = { A, B }[directory.database];
	return (
		place.tenure === "open" &&
		place.epoch === directory.epoch &&
		writers.every(({ run }) => run === null) &&
		movers.every(({ plan, ended }) => plan === "none" || ended)
	);
}
