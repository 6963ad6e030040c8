/*
 * Is there an order of a concurrent history's operations, each at some moment between its call and its answer, in
 * which a sequential specification gives every one of those answers? The search of Wing and Gong (1993) with the
 * memory of Lowe (2017): what was done already, and the state it led to, is explored once.
 *
 * An operation may take effect at several moments (take the code, mark it, act, free it): it is then stepped until it
 * is done, and what others see between its steps is the specification's business.
 */

export interface Timed {
	/** Moments on one common scale, all different. */
	invokedAt: number;
	/** Infinity when no answer says whether it happened: it may still happen at any later moment, or never. */
	returnedAt: number;
	/** The last moment at which its first step can be; afterwards it goes on or stays where it is. */
	startedBy?: number;
	/** Known to have made its first step. */
	hasStarted?: boolean;
}

interface Next<State> {
	state: State;
	/** The operation's last step. */
	done: boolean;
	/**
	 * Nothing is lost by taking this step at once and no other: what the others find is as before, and the operation
	 * has no other way on that could help them. It spares the search most of its work.
	 */
	free: boolean;
}

export interface Specification<State, Operation extends Timed> {
	initial: State;
	/** Every way in which the operation can go on from here towards its answer; none refuses it. */
	step(state: State, operation: Operation): readonly Next<State>[];
	/** Equal texts, equal states; a call that has made a step and is not done shows in it. */
	key(state: State): string;
}

/** A search that would go beyond either ends undecided, which is not a pass. */
export interface Limits {
	/** Pairs of "done already" and state. */
	states: number;
	milliseconds: number;
}

export type Verdict<State, Operation> = {
	/** Pairs of "done already" and state that were looked at. */
	explored: number;
} & (
	| { kind: "linearizable"; steps: readonly Operation[] }
	| { kind: "undecided" }
	/** `deepest`: the longest way that was found, and who could not go on from there. */
	| { kind: "refused"; deepest: { steps: readonly Operation[]; state: State; waiting: readonly Operation[] } }
);

interface Path<Operation> {
	operation: Operation;
	before: Path<Operation> | null;
	length: number;
	/** The latest call of an operation whose step was not free. */
	latest: number;
}

/** @param history - in any order; an operation of it is distinguished from the others by identity. */
export function checkLinearizability<State, Operation extends Timed>(
	history: readonly Operation[],
	specification: Specification<State, Operation>,
	limits: Limits,
): Verdict<State, Operation> {
	const { initial, step, key } = specification;
	const operations = [...history].sort((a, b) => a.returnedAt - b.returnedAt || a.invokedAt - b.invokedAt);
	const answered = operations.filter(({ returnedAt }) => returnedAt !== Infinity).length;
	const allAnswered = (1n << BigInt(answered)) - 1n;
	const deadline = performance.now() + limits.milliseconds;
	const seen = new Set<string>();
	// A state's text is long, and of some forty places one has a new state.
	const numbers = new Map<string, number>();
	const numberOf = (text: string) => numbers.get(text) ?? numbers.set(text, numbers.size).get(text)!;
	type Place = { done: bigint; state: State; path: Path<Operation> | null };
	let deepest: Place = { done: 0n, state: initial, path: null };
	const places: Place[] = [deepest];

	for (;;) {
		const place = places.pop();
		if (!place) break;
		const { done, state, path } = place;
		const isStuck = operations.some((operation) => operation.hasStarted && isTooLate(operation, path));
		if (isStuck) continue;
		if ((done & allAnswered) === allAnswered)
			return { kind: "linearizable", explored: seen.size, steps: stepsOf(path) };
		const memory = `${done.toString(36)} ${numberOf(key(state))}`;
		if (seen.has(memory)) continue;
		if (seen.size >= limits.states || performance.now() > deadline)
			return { kind: "undecided", explored: seen.size };
		seen.add(memory);
		if ((path?.length ?? 0) > (deepest.path?.length ?? 0)) deepest = place;

		const ways: Place[] = [];
		for (const [i, operation] of waiting(operations, done)) {
			if (isTooLate(operation, path)) continue;
			const nexts = step(state, operation);
			for (const next of nexts) {
				const way = {
					done: next.done ? done | (1n << BigInt(i)) : done,
					state: next.state,
					path: follow(path, operation, next.free),
				};
				if (next.free) ways.length = 0;
				ways.push(way);
				if (next.free) break;
			}
			if (nexts.some(({ free }) => free)) break;
		}
		places.push(...ways.reverse());
	}
	const { done, state, path } = deepest;
	const stuck = waiting(operations, done).map(([, operation]) => operation);
	return { kind: "refused", explored: seen.size, deepest: { steps: stepsOf(path), state, waiting: stuck } };
}

/** Pending operations called before the first answer to any pending one: one of them goes next. */
function waiting<Operation extends Timed>(
	operations: readonly Operation[],
	done: bigint,
): [index: number, Operation][] {
	const found: [number, Operation][] = [];
	let earliestAnswer = Infinity;
	for (const [i, operation] of operations.entries()) {
		if ((done >> BigInt(i)) & 1n) continue;
		earliestAnswer = Math.min(earliestAnswer, operation.returnedAt);
		if (operation.invokedAt < earliestAnswer) found.push([i, operation]);
	}
	return found;
}

/** A free step could as well come later, so it makes nobody's start too late. */
function follow<Operation extends Timed>(path: Path<Operation> | null, operation: Operation, free: boolean) {
	const latest = Math.max(path?.latest ?? -Infinity, free ? -Infinity : operation.invokedAt);
	return { operation, before: path, length: (path?.length ?? 0) + 1, latest };
}

/** Whether its first step would follow one of an operation that was called when it could no longer start. */
function isTooLate<Operation extends Timed>(operation: Operation, path: Path<Operation> | null): boolean {
	if (operation.startedBy === undefined || (path?.latest ?? 0) < operation.startedBy) return false;
	for (let at = path; at; at = at.before) if (at.operation === operation) return false;
	return true;
}

function stepsOf<Operation>(path: Path<Operation> | null): Operation[] {
	const steps: Operation[] = [];
	for (let at = path; at; at = at.before) steps.push(at.operation);
	return steps.reverse();
}
