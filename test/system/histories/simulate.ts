import { type Call, isRun, type Operation } from "./calls.ts";
import { below, type Plan, pick, type Random } from "./plan.ts";
import { advance } from "./specification.ts";
import { freshState, type ModelState } from "./state.ts";

/*
 * A service that does what the specification says and nothing else: the clients of a plan are stepped through it in an
 * order drawn at random, each answer comes a while after it was decided. Every history of it is a good one.
 */

interface Client {
	name: string;
	calls: Call[];
	/** Called and not answered; `decided`: it is done, and its answer is on the way. */
	pending: { operation: Operation; decided: boolean } | null;
}

/** @param cutOffs - the share of steps at which a run loses its caller. */
export function simulateHistory(plan: Plan, random: Random, cutOffs: number): Operation[] {
	const history: Operation[] = [];
	const counter = { moment: 0 };
	const moment = () => ++counter.moment;
	let state = freshState(plan.mode, plan.codes);
	let lost: Operation[] = [];

	function invoke(client: string, call: Call): Operation {
		const operation: Operation = {
			id: history.length + 1,
			client,
			call,
			answer: null,
			registryAsked: null,
			contended: false,
			invokedAt: moment(),
			returnedAt: 0,
		};
		history.push(operation);
		return operation;
	}

	/** @returns whether it is done, or null when it can make no step now. */
	function step(operation: Operation): { reported: string | null; done: boolean } | null {
		const steps = advance(state, operation, operation.id.toString(16).toUpperCase().padStart(32, "0"));
		if (steps.length === 0) return null;
		const chosen = pick(random, steps);
		state = chosen.state;
		return chosen;
	}

	function turn(client: Client): void {
		const { pending } = client;
		if (pending === null) {
			const call = client.calls.shift();
			if (call) client.pending = { operation: invoke(client.name, call), decided: false };
		} else if (pending.decided) {
			pending.operation.returnedAt = moment();
			client.pending = null;
		} else if (isRun(pending.operation.call) && random() < cutOffs) {
			Object.assign(pending.operation, { returnedAt: Infinity, startedBy: moment() });
			if (isInside(state, pending.operation)) lost.push(pending.operation);
			client.pending = null;
		} else {
			const stepped = step(pending.operation);
			if (!stepped?.done) return;
			pending.decided = true;
			pending.operation.answer = stepped.reported;
		}
	}

	for (const phase of plan.phases) {
		const clients: Client[] = phase.clients.map((calls, i) => ({
			name: `c${i + 1}`,
			calls: [...calls],
			pending: null,
		}));
		for (;;) {
			const busy = clients.filter(({ calls, pending }) => calls.length > 0 || pending !== null);
			if (busy.length === 0) break;
			turn(pick(random, busy));
			const straying = lost[below(random, Math.max(1, lost.length))];
			if (straying && random() < 0.3 && step(straying)?.done)
				lost = lost.filter((other) => other !== straying);
		}
		const passing = invoke("-", { verb: "pass", milliseconds: phase.passing });
		state = { ...state, now: state.now + phase.passing };
		Object.assign(passing, { answer: "passed", returnedAt: moment() });
	}
	return history;
}

function isInside({ codes }: ModelState, { id }: Operation): boolean {
	return Object.values(codes).some(({ run }) => run?.operation === id);
}
