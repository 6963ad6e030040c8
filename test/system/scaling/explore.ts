/* Breadth-first search through every interleaving of a small model. */

export interface Step<State> {
	/** Who does what: a line of the trace. */
	label: string;
	state: State;
}

export interface Model<State> {
	start: State;
	/** Equal states have equal keys. */
	key(state: State): string;
	/** Everything that can happen next, to anyone. */
	next(state: State): Step<State>[];
	/** The promise that a state breaks, or null. */
	broken(state: State): string | null;
	/** Whether everything has come to rest; from every state some such state must be within reach. */
	isGoal(state: State): boolean;
}

export interface Exploration {
	states: number;
	transitions: number;
	/** The shortest way to a broken promise: its steps, the promise last; null when none is broken. */
	trace: string[] | null;
}

/** @throws when the model has more than `most` states: it was not explored whole. */
export function explore<State>(model: Model<State>, most = 5_000_000): Exploration {
	const index = new Map<string, number>();
	const states: State[] = [];
	const cameBy: { from: number; label: string }[] = [];
	const cameFrom: number[][] = [];
	const add = (state: State, from: number, label: string) => {
		const key = model.key(state);
		const known = index.get(key);
		if (known !== undefined) {
			cameFrom[known]!.push(from);
			return;
		}
		if (states.length === most) throw new Error(`more than ${most} states`);
		index.set(key, states.length);
		states.push(state);
		cameBy.push({ from, label });
		cameFrom.push([from]);
	};
	const tell = (at: number, promise: string) => {
		const trace = [promise];
		for (let i = at; i > 0; i = cameBy[i]!.from) trace.unshift(cameBy[i]!.label);
		return trace;
	};
	let transitions = 0;
	const result = (trace: string[] | null) => ({ states: states.length, transitions, trace });

	add(model.start, -1, "");
	for (let at = 0; at < states.length; at++) {
		const promise = model.broken(states[at]!);
		if (promise !== null) return result(tell(at, promise));
		for (const step of model.next(states[at]!)) {
			transitions++;
			add(step.state, at, step.label);
		}
	}
	const stuck = findStuck(
		states.map((state) => model.isGoal(state)),
		cameFrom,
	);
	return result(stuck === -1 ? null : tell(stuck, "stuck: from here nothing leads to rest"));
}

/** The first state from which no goal can be reached, or -1: a walk backwards from all goals. */
function findStuck(isGoal: readonly boolean[], cameFrom: readonly number[][]): number {
	const reaches = Uint8Array.from(isGoal, Number);
	const open = [...reaches.keys()].filter((at) => reaches[at]);
	for (let at = open.pop(); at !== undefined; at = open.pop())
		for (const from of cameFrom[at]!)
			if (from !== -1 && !reaches[from]) {
				reaches[from] = 1;
				open.push(from);
			}
	return reaches.indexOf(0);
}
