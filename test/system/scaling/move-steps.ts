import type { Step } from "./explore.ts";
import type { Mover, MoveState, Place, Safeguards } from "./move-state.ts";

/** What a step does to the world, how the mover goes on, or that it must wait. */
type Effect =
	| { kind: "done"; change?: Partial<MoveState>; carried?: string; to?: number }
	/** Another run has decided otherwise: this one ends. */
	| { kind: "end" }
	| { kind: "wait" };

type MoverStep = { name: string; run(state: MoveState, mover: Mover, safeguards: Safeguards): Effect };

/** The move of the partner from A at `epoch` to B at `epoch` + 1. Every step may be repeated, late, by anyone. */
const FORWARD: readonly MoverStep[] = [
	{
		name: "announces the partner in B",
		run: ({ B }, { epoch }) => {
			if (is(B, "open", epoch + 1)) return { kind: "end" };
			if (is(B, "arriving", epoch + 1)) return { kind: "done" };
			if (B.epoch > epoch) return { kind: "end" };
			return { kind: "done", change: { B: { tenure: "arriving", epoch: epoch + 1, chain: "" } } };
		},
	},
	{ name: "reads all of A", run: ({ A }) => ({ kind: "done", carried: A.chain }) },
	{ name: "writes it to B", run: writeCarried },
	{
		name: "freezes A",
		run: ({ A }, { epoch }, { moverEpochs }) => {
			if (is(A, "frozen", epoch)) return { kind: "done" };
			const own = A.tenure === "open" && (A.epoch === epoch || !moverEpochs);
			return own ? { kind: "done", change: { A: { ...A, tenure: "frozen" } } } : { kind: "end" };
		},
	},
	{
		name: "reads what is new",
		run: ({ A }, _, { catchUp }) => (catchUp ? { kind: "done", carried: A.chain } : { kind: "done" }),
	},
	{
		name: "writes what is new",
		run: (state, mover, safeguards) =>
			safeguards.catchUp ? writeCarried(state, mover, safeguards) : { kind: "done" },
	},
	{
		name: "compares A and B",
		run: ({ A, B }, { epoch, at }, { catchUp }) => {
			if (!catchUp) return { kind: "done" };
			if (!is(A, "frozen", epoch) || !is(B, "arriving", epoch + 1)) return { kind: "end" };
			return A.chain === B.chain ? { kind: "done" } : { kind: "done", to: at - 2 };
		},
	},
	{
		name: "switches the directory to B",
		run: ({ directory }, { epoch }) => {
			if (directory.database === "B" && directory.epoch === epoch + 1) return { kind: "done" };
			if (directory.epoch !== epoch) return { kind: "end" };
			return { kind: "done", change: { directory: { database: "B", epoch: epoch + 1 } } };
		},
	},
	{
		name: "waits until no cache names A",
		run: (state, { epoch }, { drain }) =>
			drain && cached(state, epoch) ? { kind: "wait" } : { kind: "done" },
	},
	{
		name: "opens B",
		run: ({ B }, { epoch }, { moverEpochs }) => {
			if (is(B, "open", epoch + 1)) return { kind: "done" };
			const own = B.tenure === "arriving" && (B.epoch === epoch + 1 || !moverEpochs);
			return own ? { kind: "done", change: { B: { ...B, tenure: "open" } } } : { kind: "end" };
		},
	},
	{
		name: "clears A",
		run: ({ A, reader }, { epoch }) => {
			if (!is(A, "frozen", epoch)) return { kind: "end" };
			// A day later: no read that was sent to A is still on its way.
			if (reader.read?.database === "A") return { kind: "wait" };
			return { kind: "done", change: { A: { tenure: "gone", epoch, chain: "" } } };
		},
	},
];

/** Calls the move off, as long as B is not open. A goes on under `epoch` + 2. */
const BACK: readonly MoverStep[] = [
	{
		name: "voids B",
		run: ({ B }, { epoch }, { voidFirst }) => {
			if (B.epoch > epoch + 1 || is(B, "open", epoch + 1)) return { kind: "end" };
			return voidFirst
				? { kind: "done", change: { B: { ...B, tenure: "void", epoch: epoch + 1 } } }
				: { kind: "done" };
		},
	},
	{
		name: "switches the directory back to A",
		run: ({ directory }, { epoch }) => {
			if (directory.epoch > epoch + 1) return { kind: "done" };
			return { kind: "done", change: { directory: { database: "A", epoch: epoch + 2 } } };
		},
	},
	{
		name: "waits until no cache names B",
		run: (state, { epoch }, { drain }) =>
			drain && cached(state, epoch + 1) ? { kind: "wait" } : { kind: "done" },
	},
	{
		name: "opens A again",
		run: ({ A }, { epoch }) => {
			if (A.epoch !== epoch || A.tenure === "gone") return { kind: "end" };
			return { kind: "done", change: { A: { ...A, tenure: "open", epoch: epoch + 2 } } };
		},
	},
];

/** What each run of the mover may do next; an idle one may begin at any moment, either way. */
export function moverSteps(state: MoveState, safeguards: Safeguards): Step<MoveState>[] {
	return state.movers.flatMap((mover, n) => {
		const go = (label: string, next: Mover, change: Partial<MoveState> = {}) => ({
			label: `mover ${n} ${label}`,
			state: { ...state, ...change, movers: state.movers.with(n, next) },
		});
		if (mover.ended) return [];
		if (mover.plan === "none") {
			if (n > 0 && state.movers[n - 1]!.plan === "none") return [];
			const { epoch } = state.A;
			const started = [go("begins a move", { ...mover, plan: "forward", epoch })];
			return n === 0 ? started : [...started, go("calls the move off", { ...mover, plan: "back", epoch })];
		}
		const steps = mover.plan === "forward" ? FORWARD : BACK;
		const step = steps[mover.at]!;
		const ended = { ...mover, ended: true, carried: "" };
		const crash = n === state.movers.length - 1 ? [] : [go("dies", ended)];
		const effect = step.run(state, mover, safeguards);
		if (effect.kind === "wait") return crash;
		if (effect.kind === "end") return [go("finds another's decision and ends", ended)];
		const at = effect.to ?? mover.at + 1;
		const carried = effect.carried ?? "";
		const next = at === steps.length ? ended : { ...mover, at, carried };
		return [...crash, go(step.name, next, effect.change)];
	});
}

function writeCarried(
	{ B }: MoveState,
	{ epoch, carried }: Mover,
	{ keepNewer, moverEpochs }: Safeguards,
): Effect {
	if (B.tenure !== "arriving" || (moverEpochs && B.epoch !== epoch + 1)) return { kind: "end" };
	if (keepNewer && carried.length <= B.chain.length) return { kind: "done" };
	return { kind: "done", change: { B: { ...B, chain: carried } } };
}

function is({ tenure, epoch }: Place, wanted: Place["tenure"], at: number): boolean {
	return tenure === wanted && epoch === at;
}

/** Whether anyone still acts by a placement of this epoch or an earlier one. */
function cached({ writers, reader }: MoveState, epoch: number): boolean {
	return [...writers, reader].some(({ cache }) => cache.epoch <= epoch);
}
