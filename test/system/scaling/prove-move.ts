import { explore } from "./explore.ts";
import { modelOfMove } from "./move-model.ts";
import { ALL_SAFEGUARDS, type Safeguards, type Size } from "./move-state.ts";
import { markdownTable } from "./tables.ts";

/** Each safeguard of the move left out, alone, and what the model then finds; null: nothing, because others cover for it. */
export const LEFT_OUT: Record<string, { change: Partial<Safeguards>; fails: string | null }> = {
	nothing: { change: {}, fails: null },
	"the writers' epoch (the fence asks only whether the partner is open here)": {
		change: { fence: "state" },
		fails: null,
	},
	"the fence": { change: { fence: "none" }, fails: "lost write" },
	"the drain": { change: { drain: false }, fails: "stale read" },
	"the catch-up": { change: { catchUp: false }, fails: "stale read" },
	"a copy never replaces a later version": { change: { keepNewer: false }, fails: "stale read" },
	"the epoch in the mover's own steps": { change: { moverEpochs: false }, fails: "stuck" },
	"voiding the new place before going back": { change: { voidFirst: false }, fails: "two writers" },
};

/** The promise that a trace ends with; null for none. */
export function failureOf(trace: readonly string[] | null): string | null {
	return trace?.at(-1)?.replace(/:.*/, "") ?? null;
}

export interface MoveProof {
	table: string;
	figures: Record<string, number>;
	violations: string[];
}

/** @param size - of the model with every safeguard; one writer is enough to find what the others leave open. */
export function proveMove(size: Size): MoveProof {
	const whole = explore(modelOfMove(ALL_SAFEGUARDS, size));
	const violations = whole.trace ? [`move: ${whole.trace.join(" → ")}`] : [];
	const rows = Object.entries(LEFT_OUT).map(([name, { change, fails }]) => {
		const { trace, states } = explore(
			modelOfMove({ ...ALL_SAFEGUARDS, ...change }, { writers: 1, writes: 1, movers: 2 }),
		);
		if (failureOf(trace) !== fails)
			violations.push(`move without ${name}: ${trace?.join(" → ") ?? "nothing found"}`);
		return [name, states.toLocaleString("en-GB"), trace?.length ?? "", failureOf(trace) ?? "nothing"];
	});
	return {
		table: markdownTable(["left out", "states", "steps of the shortest failure", "what fails"], rows),
		figures: {
			move_states: whole.states,
			move_transitions: whole.transitions,
			move_safeguards_left_out: rows.length - 1,
		},
		violations,
	};
}
