import type { Specification, Timed } from "./linearizability.ts";

/**
 * Tries every order of a small history step by step, with no memory and no shortcut: what the checker must agree with.
 * An operation goes on only when none that is not done was answered before it was called.
 */
export function hasOrder<State, Operation extends Timed>(
	history: readonly Operation[],
	{ initial, step }: Specification<State, Operation>,
): boolean {
	function complete(state: State, left: readonly Operation[]): boolean {
		if (left.every(({ returnedAt }) => returnedAt === Infinity)) return true;
		return left.some((operation) => {
			if (left.some(({ returnedAt }) => returnedAt < operation.invokedAt)) return false;
			return step(state, operation).some((next) =>
				complete(next.state, next.done ? left.filter((other) => other !== operation) : left),
			);
		});
	}
	return complete(initial, history);
}
