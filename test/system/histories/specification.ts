import { isReadCall, isRun, type Operation, type ReadCall } from "./calls.ts";
import type { Specification, Timed } from "./linearizability.ts";
import { factsOf, listingOf, statusOf } from "./readings.ts";
import { ruleOperation } from "./rules.ts";
import { type Step, stepRun } from "./run-steps.ts";
import { codeOf, keyOf, type World } from "./world.ts";

/*
 * The interface document and the decisions on one partner's codes that share holders, as a specification of what
 * concurrent clients may be told. Restated from the documents; nothing of the service's code is in it. The sequential
 * model beside it answers a call as a whole: here a call takes effect in steps, because "is taken" (202, 406, 409, 423)
 * and `processing` tell of calls that have begun and not ended, and a call that was cut off may have stopped anywhere.
 */

/** Every way an operation can go on, whatever it was answered. @param serial - what its certificate would be called. */
export function advance(world: World, operation: Operation, serial: string): Step[] {
	const { id, call, answer, registryAsked, returnedAt } = operation;
	if (isRun(call))
		return stepRun(world, { id, call, answer, cutOff: returnedAt === Infinity, registryAsked, serial });
	if (isReadCall(call)) return [{ world, told: read(world, call), done: true }];
	if (call.verb === "pass") {
		const passed = { ...world, now: world.now + call.milliseconds };
		return [{ world: passed, told: "passed", done: true }];
	}
	const ruling = ruleOperation(world, { verb: call.verb, code: call.code });
	const steps = [{ world: ruling.world, told: ruling.told, done: true }];
	// Ops neither wait nor win for ever: beside many changes of the code a verb may give up, changing nothing.
	return operation.contended ? [...steps, { world, told: "503 SERVICE_UNAVAILABLE", done: true }] : steps;
}

function read(world: World, call: ReadCall): string {
	switch (call.verb) {
		case "status":
			return statusOf(codeOf(world, call.code), world.now);
		case "list":
			return listingOf(world, call.status);
		case "facts":
			return factsOf(world, call.code);
	}
}

/**
 * What a history of these codes is checked against.
 * @param shortcut - false: every run is taken step by step, also where nothing can tell.
 */
export function specify(
	initial: World,
	history: readonly Operation[],
	{ shortcut = true } = {},
): Specification<World, Operation> {
	const serials = serialsTold(history);
	const unseen = new Set(shortcut ? history.filter((operation) => isUnseen(operation, history)) : []);
	return {
		initial,
		key: keyOf,
		step: (world, operation) =>
			serialsOf(operation, serials).flatMap((serial) =>
				(unseen.has(operation) ? advanceToEnd : advance)(world, operation, serial)
					.filter(({ told }) => told === null || operation.answer === null || told === operation.answer)
					.map((step) => ({ state: step.world, done: step.done, free: isFree(world, operation, step) })),
			),
	};
}

/** Every way to the operation's end with nobody else's step between. */
function advanceToEnd(world: World, operation: Operation, serial: string): Step[] {
	return advance(world, operation, serial).flatMap((step) =>
		step.done ? [step] : advanceToEnd(step.world, operation, serial),
	);
}

/**
 * An answered run that nobody was told of while it was under way: it may as well have been inside for one moment only,
 * which spares the search its steps. A 503, and to a claim 423 and 429, may tell of what ops changed between two of them.
 */
function isUnseen(operation: Operation, history: readonly Operation[]): boolean {
	const { call, answer } = operation;
	if (!isRun(call) || answer === null || TELLS_OF_OPS.test(answer)) return false;
	return !history.some((other) => overlap(operation, other) && tellsOfARun(other, history));
}

/**
 * Taken, in progress, or `processing` 1 in a list, in facts or in an ops verb's answer. A list of one status tells by
 * what it leaves out. 423 or 429 to a claim may: of a code that was never validated, 404 comes first unless somebody is
 * inside. And so do two first answers to one Idempotency-Key at once: both calls found the code taken.
 */
function tellsOfARun({ call, answer, ...own }: Operation, history: readonly Operation[]): boolean {
	const told = answer ?? "";
	if (/^(202|409|422) |OTHER_VALIDATION/.test(told) || PROCESSING.test(told)) return true;
	if (call.verb === "claim" && /^42[39] /.test(told)) return true;
	if (call.verb === "list" && call.status !== null) return true;
	if (!isRun(call) || call.key === null) return false;
	return history.some((other) => isRun(other.call) && other.call.key === call.key && overlap(own, other));
}

const TELLS_OF_OPS = /^(503 SERVICE|42[39] )/;
const PROCESSING = / (en_proceso|bloqueado|anulado|emitido|validado|sin_utilizar) 1 /;

function overlap(one: Timed & { id: number }, other: Timed & { id: number }): boolean {
	return one.id !== other.id && other.invokedAt < one.returnedAt && one.invokedAt < other.returnedAt;
}

/** A read, and an answer that only looks: whoever is told it has nothing more to do that others could notice. */
function isFree(world: World, { id, call, answer }: Operation, { world: after, done }: Step): boolean {
	if (!done || answer === null) return false;
	return (
		isReadCall(call) || (isRun(call) && (after === world || (call.key === null && world.beside.includes(id))))
	);
}

const SERIAL = /\b[0-9A-F]{32}\b/;
const UNTOLD = "untold";

/** The certificate of a call that was cut off may be any that somebody was told of later, or one nobody saw. */
function serialsOf({ answer }: Operation, told: readonly string[]): readonly string[] {
	return answer === null ? told : [serialIn(answer) ?? UNTOLD];
}

function serialsTold(history: readonly Operation[]): string[] {
	return [...new Set([UNTOLD, ...history.flatMap(({ answer }) => serialIn(answer ?? "") ?? [])])];
}

function serialIn(answer: string): string | null {
	return SERIAL.exec(answer)?.[0] ?? null;
}
