import { isReadCall, isRun, type Operation, type ReadCall } from "./calls.ts";
import type { Specification, Timed } from "./linearizability.ts";
import { factsOf, listingOf, statusOf } from "./readings.ts";
import { ruleOperation } from "./rules.ts";
import { type Step, stepRun } from "./run-steps.ts";
import { codeOf, keyOf, type ModelState } from "./state.ts";

/*
 * The interface document and the decisions on one partner's codes that share holders, as a specification of what
 * concurrent clients may be answered. Restated from the documents; nothing of the service's code is in it. The sequential
 * model answers a call as a whole: here a call takes effect in steps, because "is taken" (202, 406, 409, 423)
 * and `processing` report calls that have begun and not ended, and a call that was cut off may have stopped anywhere.
 */

/** Every way an operation can go on, for any answer. @param serial - what its certificate would be called. */
export function advance(state: ModelState, operation: Operation, serial: string): Step[] {
	const { id, call, answer, registryAsked, returnedAt, isRefused } = operation;
	if (isRun(call))
		return stepRun(state, {
			id,
			call,
			answer,
			cutOff: returnedAt === Infinity,
			isRefused,
			registryAsked,
			serial,
		});
	if (isReadCall(call)) return [{ state, reported: read(state, call), done: true }];
	if (call.verb === "pass") {
		const passed = { ...state, now: state.now + call.milliseconds };
		return [{ state: passed, reported: "passed", done: true }];
	}
	const ruling = ruleOperation(state, { verb: call.verb, code: call.code });
	const steps = [{ state: ruling.state, reported: ruling.reported, done: true }];
	// Ops neither wait nor win for ever: under many concurrent changes of the code a verb may stop, changing nothing.
	return operation.contended ? [...steps, { state, reported: "503 SERVICE_UNAVAILABLE", done: true }] : steps;
}

function read(state: ModelState, call: ReadCall): string {
	switch (call.verb) {
		case "status":
			return statusOf(codeOf(state, call.code), state.now);
		case "list":
			return listingOf(state, call.status);
		case "facts":
			return factsOf(state, call.code);
	}
}

/** Specifies the histories of these codes. */
export function specify(
	initial: ModelState,
	history: readonly Operation[],
): Specification<ModelState, Operation> {
	const serials = serialsTold(history);
	const unseen = new Set(history.filter((operation) => isUnseen(operation, history)));
	return {
		initial,
		key: keyOf,
		step: (state, operation) =>
			serialsOf(operation, serials).flatMap((serial) =>
				(unseen.has(operation) ? advanceToEnd : advance)(state, operation, serial)
					.filter(
						({ reported }) => reported === null || operation.answer === null || reported === operation.answer,
					)
					.map((step) => ({ state: step.state, done: step.done, free: isFree(state, operation, step) })),
			),
	};
}

/** Every way to the operation's end with nobody else's step between. */
function advanceToEnd(state: ModelState, operation: Operation, serial: string): Step[] {
	return advance(state, operation, serial).flatMap((step) =>
		step.done ? [step] : advanceToEnd(step.state, operation, serial),
	);
}

/**
 * An answered run that no other answer mentions while it was under way: it may as well have been inside for one moment only,
 * which spares the search its steps. A 503, and to a claim 423 and 429, may report what ops changed between two of them.
 */
function isUnseen(operation: Operation, history: readonly Operation[]): boolean {
	const { call, answer } = operation;
	if (!isRun(call) || answer === null || TELLS_OF_OPS.test(answer)) return false;
	return !history.some((other) => overlap(operation, other) && tellsOfARun(other, history));
}

/**
 * Tells whether an answer may show that a run was under way: taken, in progress, or `processing` 1 in a list, in facts or in
 * an ops verb's answer. A list of one status shows it by what it leaves out, RUT_MISMATCH by the RUT of a run on another code,
 * 423 or 429 to a claim by a code that is not yet validated, which is 404 while nobody is inside. Two first answers to one
 * Idempotency-Key at once show it too: both calls found the code taken.
 */
function tellsOfARun({ call, answer, ...own }: Operation, history: readonly Operation[]): boolean {
	const reported = answer ?? "";
	if (/^(202|409|422) |OTHER_VALIDATION|RUT_MISMATCH/.test(reported) || PROCESSING.test(reported))
		return true;
	if (call.verb === "claim" && /^42[39] /.test(reported)) return true;
	if (call.verb === "list" && call.status !== null) return true;
	if (!isRun(call) || call.key === null) return false;
	return history.some((other) => isRun(other.call) && other.call.key === call.key && overlap(own, other));
}

const TELLS_OF_OPS = /^(503 SERVICE|42[39] )/;
const PROCESSING = / (en_proceso|bloqueado|anulado|emitido|validado|sin_utilizar) 1 /;

function overlap(one: Timed & { id: number }, other: Timed & { id: number }): boolean {
	return one.id !== other.id && other.invokedAt < one.returnedAt && one.invokedAt < other.returnedAt;
}

/** A read, and an answer that only looks: its caller has nothing more to do that others could notice. */
function isFree(state: ModelState, { id, call, answer }: Operation, { state: after, done }: Step): boolean {
	if (!done || answer === null) return false;
	return (
		isReadCall(call) ||
		(isRun(call) && (after === state || (call.key === null && state.concurrent.includes(id))))
	);
}

const SERIAL = /\b[0-9A-F]{32}\b/;
const UNKNOWN_SERIAL = "untold";

/** The certificate of a call that was cut off may be any that a later answer names, or one nobody saw. */
function serialsOf({ answer }: Operation, reported: readonly string[]): readonly string[] {
	return answer === null ? reported : [serialIn(answer) ?? UNKNOWN_SERIAL];
}

function serialsTold(history: readonly Operation[]): string[] {
	return [...new Set([UNKNOWN_SERIAL, ...history.flatMap(({ answer }) => serialIn(answer ?? "") ?? [])])];
}

function serialIn(answer: string): string | null {
	return SERIAL.exec(answer)?.[0] ?? null;
}
