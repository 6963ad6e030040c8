import type { RunCall } from "./calls.ts";
import {
	claimWhileBusy,
	closedTo,
	concludeRequest,
	isRutBusy,
	type Ruling,
	refuseRequest,
	requestWhileBusy,
	ruleClaim,
	spendValidation,
} from "./rules.ts";
import { type Code, changeCode, changeRun, codeOf, LEASE, type ModelState, type Run } from "./state.ts";

/*
 * certificate_request and certificate_claim during others. At most one of them is inside a code: it goes in, may show
 * as processing, acts at one moment as if it were alone, and goes out. One that finds the code taken looks once more,
 * and answers what it sees, or that the code is taken.
 */

export interface Step {
	state: ModelState;
	/** Answer to come; known from when it acted on. */
	reported: string | null;
	done: boolean;
}

interface Running<C extends RunCall> {
	id: number;
	call: C;
	/** Answer received; null when that is not known. */
	answer: string | null;
	/** Caller cut off: the run may stay where it is until its lease is over. */
	cutOff: boolean;
	/** The run may end at once, as if its lease were over. */
	isRefused: boolean;
	registryAsked: boolean | null;
	/** Serial of the certificate it would hand out. */
	serial: string;
}

/** Every next step of a run. */
export function stepRun<C extends RunCall>(state: ModelState, running: Running<C>): Step[] {
	const { id, call } = running;
	const code = codeOf(state, call.code);
	if (code.run?.operation === id) return stepInside(state, running, code, code.run);
	if (state.concurrent.includes(id)) return [answerBeside(state, running, code)];
	return comeTo(state, running, code);
}

/** Decisions, "Idempotency", comes first; then the code is free or taken. A crashed run is recovered before. */
function comeTo<C extends RunCall>(
	state: ModelState,
	{ id, call, answer, cutOff }: Running<C>,
	{ run }: Code,
): Step[] {
	const { key } = call;
	const body = bodyOf(call);
	const kept = key === null ? undefined : state.kept[key];
	if (kept) {
		const reported = kept.body === body ? `${kept.answer} (replayed)` : "422 IDEMPOTENCY_MISMATCH";
		return [{ state, reported, done: true }];
	}
	if (run === null) {
		if (answer !== null && NEVER_INSIDE.test(answer)) return [];
		const entered = { operation: id, key, body, until: state.now + LEASE, processing: null };
		const fresh = { hasProcessed: false, disturbed: false, reported: null, committed: false };
		const inside = changeCode(state, call.code, { run: { ...entered, ...fresh } });
		return [{ state: inside, reported: null, done: false }];
	}
	if (run.until <= state.now) return [];
	if (key !== null && run.key === key) {
		const reported = run.body === body ? "409 IDEMPOTENCY_IN_PROGRESS" : "422 IDEMPOTENCY_MISMATCH";
		return [{ state, reported, done: true }];
	}
	if ((cutOff && key === null) || (answer !== null && !BESIDE.test(answer))) return [];
	const concurrent = [...state.concurrent, id].sort((a, b) => a - b);
	return [{ state: { ...state, concurrent }, reported: null, done: false }];
}

/** Answers that show which way a run took: the other need not be tried. A call that was cut off while another ran left a kept answer at most. */
const NEVER_INSIDE = /^(202|409|422) |replayed/;
const BESIDE = /^(201|202|423|429) |^406 (OTHER_VALIDATION_IN_PROGRESS|CODE_ALREADY_USED)$/;

const bodies = new WeakMap<RunCall, string>();

/** Body that an Idempotency-Key is bound to. */
function bodyOf(call: RunCall): string {
	const body = bodies.get(call) ?? JSON.stringify({ ...call, key: null });
	bodies.set(call, body);
	return body;
}

function answerBeside<C extends RunCall>(state: ModelState, { id, call }: Running<C>, code: Code): Step {
	const reported = (call.verb === "request" ? requestWhileBusy : claimWhileBusy)(code, state.now);
	const concurrent = state.concurrent.filter((other) => other !== id);
	return { state: keep({ ...state, concurrent }, call, reported), reported, done: true };
}

function stepInside<C extends RunCall>(state: ModelState, running: Running<C>, code: Code, run: Run): Step[] {
	if (run.until <= state.now) return running.cutOff ? recover(state, running, run) : [];
	if (run.reported !== null) return finish(state, running, run);
	const { call } = running;
	const steps: Step[] = running.isRefused ? recover(state, running, run) : [];
	if (!run.hasProcessed && mayProcess(state, call, code)) {
		const processing = { rut: call.verb === "request" ? call.rut : null };
		const marked = changeRun(state, call.code, { processing, hasProcessed: true });
		steps.push({ state: marked, reported: null, done: false });
	}
	for (const ruling of act(state, running, code, run)) {
		const { reported, committed } = ruling;
		const acted = { reported, committed, processing: committed ? null : run.processing };
		steps.push({ state: changeRun(ruling.state, call.code, acted), reported, done: false });
	}
	return steps;
}

/** A validation that the registry is asked for, and one at a time of a RUT; an emission of a code that was validated. */
function mayProcess(state: ModelState, call: RunCall, code: Code): boolean {
	if (call.verb === "request") return refuseRequest(state, call) === null && !isRutBusy(state, call);
	return code.rut !== null && code.serial === null && !code.cancelled && !code.blocked;
}

function act<C extends RunCall>(
	state: ModelState,
	{ call, serial }: Running<C>,
	code: Code,
	run: Run,
): Ruling[] {
	const rulings: (Ruling | null)[] = [];
	const still = (reported: string) => ({ state, reported, committed: false });
	if (run.disturbed) {
		const closed = closedTo(call.verb, code, state.now);
		rulings.push(still("503 SERVICE_UNAVAILABLE"), closed === null ? null : still(closed));
	}
	if (call.verb === "claim") {
		const ruling = ruleClaim(state, call, serial);
		if (run.processing || !ruling.committed) rulings.push(ruling);
	} else if (run.processing) rulings.push(concludeRequest(state, call, serial));
	else if (!run.hasProcessed) {
		rulings.push(refuseRequest(state, call));
		if (isRutBusy(state, call)) rulings.push(still("406 OTHER_VALIDATION_IN_PROGRESS"));
	} else if (call.verb === "request" && run.disturbed) {
		const refusal = refuseRequest(state, call);
		if (refusal) rulings.push(still(refusal.reported));
	}
	return rulings.filter((ruling) => ruling !== null);
}

/** Keeps the code processing until its answer is out, unless its change ended that. */
function finish<C extends RunCall>(state: ModelState, { call }: Running<C>, run: Run): Step[] {
	const { reported } = run;
	const steps: Step[] = [{ state: leave(state, call, run, true), reported, done: true }];
	if (run.processing)
		steps.push({ state: changeRun(state, call.code, { processing: null }), reported, done: false });
	return steps;
}

/**
 * Decisions: neither a dropped connection nor a crash is a free guess. A lease that is over belongs to a run that was
 * cut off: what it changed stands, and else the attempt is spent if the registry was asked.
 */
function recover<C extends RunCall>(state: ModelState, running: Running<C>, run: Run): Step[] {
	const { call, registryAsked } = running;
	const out = (from: ModelState) => ({
		state: leave(from, call, run, run.committed),
		reported: null,
		done: true,
	});
	const mayHaveAsked = call.verb === "request" && run.hasProcessed && !run.committed;
	const hasAsked = mayHaveAsked && registryAsked === true && run.reported === null;
	return [
		...(hasAsked || (registryAsked === true && !run.hasProcessed) ? [] : [out(state)]),
		...(mayHaveAsked ? [out(spendValidation(state, call, "a crash").state)] : []),
	];
}

function leave(state: ModelState, call: RunCall, { reported }: Run, keeps: boolean): ModelState {
	const free = changeCode(state, call.code, { run: null });
	return keeps && reported !== null ? keep(free, call, reported) : free;
}

/** Decisions, "Idempotency": the first final answer to a key is its answer from now on. */
function keep(state: ModelState, call: RunCall, answer: string): ModelState {
	const { key } = call;
	if (key === null || state.kept[key] || !isFinal(answer)) return state;
	return { ...state, kept: { ...state.kept, [key]: { body: bodyOf(call), answer } } };
}

function isFinal(reported: string): boolean {
	return /^20[01] |^406 /.test(reported) && reported !== "406 OTHER_VALIDATION_IN_PROGRESS";
}
