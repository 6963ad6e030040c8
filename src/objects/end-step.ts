import { type CodeChange, commitCodeChange, unmark } from "../db/change-code.ts";
import { closeIdempotencyKey, openIdempotencyKey } from "../db/idempotency-keys.ts";
import { askBatch, type Statement } from "../db/query.ts";
import { isFinal, type Rejection } from "../domain/rejection.ts";
import { Unavailable } from "../unavailable.ts";
import { announceChange } from "./announce-change.ts";
import { markOf } from "./begin-step.ts";
import type { CodeContext } from "./code-context.ts";
import { draftAnswer, settleDraft } from "./kept-answers.ts";
import { holdsLease, type Lease, noteOnLease, releaseLease, requireLease } from "./lease.ts";
import { reportLock } from "./report-lock.ts";
import { type Rejected, rejected } from "./rpc.ts";
import { settleStep } from "./settle-step.ts";

/** Any answer of a step: a rejection, or a success of one kind or another. */
type StepAnswer = Rejected | { kind: "validated" | "emitted" | "claimed" };

export type StepChange = Pick<CodeChange, "row" | "set" | "action" | "outcome" | "now" | "alongside">;

/**
 * Commits the change that an answer tells of: the sealed answer first, then the change, then the lease goes.
 * When D1 leaves the outcome unknown, the register is asked before anything is said.
 */
export async function commitStep<Answer extends StepAnswer>(
	context: CodeContext,
	lease: Lease,
	change: StepChange,
	answer: Answer,
): Promise<Answer | Rejected | "conflict" | "email_in_use"> {
	const { call, db, storage } = context;
	const closing = await keepOrFree(context, lease, answer);
	const { actor, requestId } = call;
	const announcement = await announceChange(context, change.row, change.set, {
		now: change.now,
		opsReason: null,
	});
	try {
		const alongside = [...change.alongside, ...closing, ...announcement.alongside];
		const result = await commitCodeChange(db, {
			...change,
			actor,
			requestId,
			step: lease.step,
			alongside,
			written: announcement.written,
		});
		if (result !== "committed") return result;
		reportLock(context, change.row.facts, change);
	} catch (error) {
		if (!(error instanceof Unavailable)) throw error;
		noteOnLease(storage, lease, { attemptReserved: false, commitUnknown: true });
		const outcome = await settleStep(context, lease);
		return outcome === "committed" ? answer : rejected({ reason: "service_unavailable" });
	}
	finish(context, lease);
	return answer;
}

/** Commits a rejection; when ops changed the code while the step ran, the caller may try again. */
export async function commitOrGiveUp(
	context: CodeContext,
	lease: Lease,
	change: StepChange,
	answer: Rejected,
): Promise<Rejected> {
	const result = await commitStep(context, lease, change, answer);
	if (typeof result !== "string") return result;
	await giveUpStep(context, lease);
	return rejected({ reason: "service_unavailable" });
}

/** Ends a step that changes nothing. @param marked - the register shows the code as processing. */
export async function concludeStep<Answer extends StepAnswer>(
	context: CodeContext,
	lease: Lease,
	answer: Answer,
	{ marked }: { marked: boolean },
): Promise<Answer> {
	const { db, call } = context;
	const statements = await keepOrFree(context, lease, answer);
	if (marked) statements.push(unmark(db, { ...call, until: lease.until }));
	await askBatch(db, statements);
	finish(context, lease);
	return answer;
}

/**
 * Answers a call that only looked, beside a running step. A final answer is kept all the same: it is the first answer
 * to its Idempotency-Key. None of these is a success, and what makes them final stands for good.
 */
export async function answerBeside(context: CodeContext, rejection: Rejection): Promise<Rejected> {
	const { call, storage, db, clock } = context;
	const answer = rejected(rejection);
	const mark = markOf(context);
	if (!mark || !call.idempotency || !isFinal(rejection)) return answer;
	const now = clock();
	await askBatch(db, [openIdempotencyKey(db, mark, now), closeIdempotencyKey(db, mark, true, now)]);
	const step = crypto.randomUUID();
	await draftAnswer(storage, call.idempotency, answer, { step, now });
	settleDraft(storage, call.idempotency.keyId, step, true);
	return answer;
}

/** Ends a step that cannot go on: nothing is spent, a serial that may have been signed is entered as revoked. */
export async function giveUpStep(context: CodeContext, lease: Lease): Promise<void> {
	if (!holdsLease(context.storage, lease)) return;
	noteOnLease(context.storage, lease, { attemptReserved: false });
	await settleStep(context, lease);
}

async function keepOrFree(context: CodeContext, lease: Lease, answer: StepAnswer): Promise<Statement[]> {
	requireLease(context.storage, lease);
	const mark = markOf(context);
	if (!mark) return [];
	const { call, storage, db, clock } = context;
	const kept = answer.kind !== "rejected" || isFinal(answer.rejection);
	if (kept && call.idempotency)
		await draftAnswer(storage, call.idempotency, answer, { step: lease.step, now: clock() });
	return [closeIdempotencyKey(db, mark, kept, clock())];
}

function finish({ storage }: CodeContext, lease: Lease): void {
	if (lease.idempotency) settleDraft(storage, lease.idempotency.keyId, lease.step, true);
	releaseLease(storage, lease);
}
