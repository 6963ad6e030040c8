import { enterUnissuedSerial } from "../db/certificates.ts";
import { type CodeRow, unmark } from "../db/code-changes.ts";
import { batch, type Statement } from "../db/query.ts";
import { forgetHome } from "../directory.ts";
import { partnerNow } from "../domain/partner-clock.ts";
import { isFinal, type Rejection } from "../domain/rejection.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { isMoving, Unavailable } from "../unavailable.ts";
import { commitChange } from "./commit.ts";
import {
	closeKey,
	endProvisional,
	openAnswer,
	openKey,
	recallAnswer,
	storeProvisional,
} from "./idempotency.ts";
import {
	endLease,
	isRunning,
	type Lease,
	noteOnLease,
	readLease,
	releaseLease,
	requireLease,
	takeLease,
} from "./lease.ts";
import { mendBeforeReplay, mendIfForgotten } from "./mend.ts";
import { recoverStep, rollBack } from "./recovery.ts";
import { rememberSerial } from "./remembered.ts";
import { type Call, isRejected, type Rejected, type Replayable, rejected } from "./rpc.ts";
import type { CommitEnding, FirstRead, NoChange, Step, StepContext, UseCase } from "./use-case.ts";

/*
 * A step is one partner's call on one code that may change it. At most one runs at a time, under the code's lease.
 * This file owns the protocol around every use case: replay, recovery, lease, mend, commit, failure.
 */

/**
 * One call from beginning to end. A repeated Idempotency-Key gets its first answer again; a crashed run is recovered
 * first; then the code is free, or another run holds it.
 * @throws what the use case threw, after its step was rolled back.
 */
export async function runStep<C extends Call, Read extends FirstRead, Success>(
	context: StepContext<C>,
	useCase: UseCase<C, Read, Success>,
): Promise<Replayable<Success | Rejected>> {
	const { call, storage, platform } = context;
	for (;;) {
		const now = platform.clock();
		if (call.idempotency) {
			const recalled = recallAnswer(storage, call.idempotency, now);
			if (recalled.kind === "mismatch") return firstAnswer(rejected({ reason: "idempotency_mismatch" }));
			if (recalled.kind === "stored") {
				await mendBeforeReplay(context);
				return openAnswer(call.idempotency, recalled.sealed);
			}
		}
		const running = readLease(storage);
		if (running === null) {
			// Must run in the turn in which the code was found free: no await in between.
			const lease = takeLease(storage, call, now);
			return firstAnswer(await runUnderLease(context, lease, useCase));
		}
		if (isRunning(running, now)) return firstAnswer(await answerWhileBusy(context, running, useCase));
		await recoverStep(context, running);
	}
}

function firstAnswer<Answer>(answer: Answer): Replayable<Answer> {
	return { answer, replayedIn: null };
}

async function runUnderLease<C extends Call, Read extends FirstRead, Success>(
	context: StepContext<C>,
	lease: Lease,
	useCase: UseCase<C, Read, Success>,
): Promise<Success | Rejected> {
	try {
		let read = await useCase.read(context, lease);
		const [row] = read.code;
		if (row && (await mendIfForgotten(context, row.facts))) read = await useCase.read(context, lease);
		const step = { ...context, lease, now: clockOf(context, read) };
		const ending = await useCase.run(step, read);
		const answer = ending.change === null ? await endUnchanged(step, ending) : await commit(step, ending);
		if (answer !== null) return answer;
		await rollBack(context, lease);
		const rejection = await explain(context, useCase, false);
		// Only the RUT's lock is told of reasons that spend no attempt: any other would be a free guess.
		const isGuess = isRejected(ending.answer) && rejection.reason !== "rut_locked";
		return rejected(isGuess ? { reason: "service_unavailable" } : rejection);
	} catch (error) {
		await rollBack(context, lease).catch((failure: unknown) => leaveToNext(context, lease, failure));
		throw error;
	}
}

function clockOf({ platform }: StepContext, { partner: [partner] }: FirstRead): () => number {
	return () => partnerNow(platform, partner ?? { clockOffset: 0 });
}

async function explain<C extends Call, Read extends FirstRead>(
	context: StepContext<C>,
	useCase: UseCase<C, Read, unknown>,
	busy: boolean,
): Promise<Rejection> {
	const read = await useCase.read(context, null);
	return useCase.explain({ ...context, now: clockOf(context, read) }, read, busy);
}

/**
 * Stores the answer as provisional, commits the change, and frees the code. When D1 leaves the outcome unknown, D1 is
 * read before anything is answered.
 * @returns null when ops changed the code during the run, or its RUT was locked: nothing was committed.
 */
async function commit<Success>(
	step: Step,
	ending: CommitEnding<Success>,
): Promise<Success | Rejected | null> {
	const { call, lease, platform, storage } = step;
	const { change, answer } = ending;
	const closing = await closeAnswer(step, answer);
	const { actor, requestId } = call;
	const alongside = [...change.alongside, ...closing];
	const whole = { ...change, alongside, actor, requestId, stepId: lease.stepId, opsReason: null };
	try {
		const result = await commitChange(step, whole);
		if (result === "conflict") return null;
		if (result === "email_in_use") return commit(step, emailTaken(step, change.row));
		rememberSerial(storage, lease, change.set.certificateSerial === lease.serial, platform.clock());
		free(step);
	} catch (error) {
		// No version need be taken for what cannot arrive later.
		if (!(error instanceof Unavailable) || isMoving(error)) throw error;
		noteOnLease(storage, lease, { attemptReserved: false, commitUnknown: true });
		if ((await recoverStep(step, lease)) !== "committed") return rejected({ reason: "service_unavailable" });
	}
	await ending.committed?.();
	return answer;
}

/** Final answer when the e-mail became another RUT's meanwhile; a signed certificate is revoked. */
function emailTaken(step: Step, row: CodeRow): CommitEnding<never> {
	const { lease, db, platform } = step;
	const change = {
		row,
		set: {},
		action: "validation_refused" as const,
		outcome: "email_in_use",
		now: step.now(),
		alongside: enterUnissuedSerial(db, lease, platform.clock()),
	};
	return { change, answer: rejected({ reason: "email_in_use" }) };
}

async function endUnchanged(step: Step, { answer, marked }: NoChange): Promise<Rejected> {
	const { call, db } = step;
	const closing = await closeAnswer(step, answer);
	const unmarking = marked === null ? null : unmark(db, { ...call, until: marked });
	await batch(db, { closing, unmarking });
	free(step);
	return answer;
}

/** Stores a final answer for a repeated Idempotency-Key. @returns the statement that ends the key's call in D1. */
async function closeAnswer(
	{ call, storage, lease, db, platform }: Step,
	answer: unknown,
): Promise<Statement[]> {
	requireLease(storage, lease);
	if (!call.idempotency) return [];
	const now = platform.clock();
	const final = !isRejected(answer) || isFinal(answer.rejection);
	if (final) await storeProvisional(storage, call.idempotency, answer, { stepId: lease.stepId, now });
	return closeKey(db, call, final, now);
}

function free({ storage, lease }: Step): void {
	if (lease.idempotency) endProvisional(storage, lease.idempotency.keyId, lease.stepId, true);
	releaseLease(storage, lease);
}

/**
 * Answers a call that may only read. A final answer is stored: it is the first answer to its Idempotency-Key. None of
 * these is a success, and what makes them final does not change.
 */
async function answerWhileBusy<C extends Call, Read extends FirstRead>(
	context: StepContext<C>,
	running: Lease,
	useCase: UseCase<C, Read, unknown>,
): Promise<Rejected> {
	const { call, storage, db, platform } = context;
	const { idempotency } = call;
	if (idempotency && running.idempotency?.keyId === idempotency.keyId) {
		const same = running.idempotency.fingerprint === idempotency.fingerprint;
		return rejected({ reason: same ? "idempotency_in_progress" : "idempotency_mismatch" });
	}
	const rejection = await explain(context, useCase, true);
	const answer = rejected(rejection);
	if (!idempotency || !isFinal(rejection)) return answer;
	const now = platform.clock();
	await batch(db, { opened: openKey(db, call, now), closed: closeKey(db, call, true, now) });
	const stepId = crypto.randomUUID();
	await storeProvisional(storage, idempotency, answer, { stepId, now });
	endProvisional(storage, idempotency.keyId, stepId, true);
	return answer;
}

/** Leaves a run to the alarm. A moving partner's code need not stay busy meanwhile: D1 refuses all that the run could write. */
function leaveToNext({ call, storage, platform }: StepContext, lease: Lease, error: unknown): void {
	if (isMoving(error)) {
		forgetHome(call.partnerId);
		endLease(storage, lease, platform.clock());
	} else log("error", "step_left_to_alarm", { ...describeError(error) });
}
