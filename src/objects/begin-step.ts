import { openIdempotencyKey, selectIdempotencyKey } from "../db/idempotency-keys.ts";
import type { Statement } from "../db/query.ts";
import type { Rejection } from "../domain/rejection.ts";
import type { CodeContext } from "./code-context.ts";
import { openAnswer, recallAnswer } from "./kept-answers.ts";
import { isRunning, type Lease, readLease, takeLease } from "./lease.ts";
import { type Rejected, type Replayable, rejected } from "./rpc.ts";
import { settleStep } from "./settle-step.ts";

/** `lease` is null when another run holds the code: then the call may look, not act. */
export type Beginning<Answer> =
	| { kind: "answered"; answer: Replayable<Answer | Rejected> }
	| { kind: "begun"; lease: Lease | null };

/**
 * Where a partner's call on a code begins: a kept answer, a crashed run to settle, then the lease, which is
 * written in the same turn in which the code was found free.
 */
export async function beginStep<Answer>(context: CodeContext): Promise<Beginning<Answer>> {
	const { call, storage, clock } = context;
	for (;;) {
		const now = clock();
		if (call.idempotency) {
			const recall = recallAnswer(storage, call.idempotency, now);
			if (recall.kind === "mismatch") return refuse({ reason: "idempotency_mismatch" });
			if (recall.kind === "kept")
				return { kind: "answered", answer: await openAnswer<Answer>(call.idempotency, recall.sealed) };
		}
		const running = readLease(storage);
		if (running === null) return { kind: "begun", lease: takeLease(storage, call, now) };
		if (isRunning(running, now)) return beside(context, running);
		await settleStep(context, running);
	}
}

/** What the first call with this Idempotency-Key does while it runs, and what any other call may do beside it. */
function beside<Answer>({ call: { idempotency } }: CodeContext, running: Lease): Beginning<Answer> {
	if (idempotency === null || running.idempotency?.keyId !== idempotency.keyId)
		return { kind: "begun", lease: null };
	const same = running.idempotency.fingerprint === idempotency.fingerprint;
	return refuse({ reason: same ? "idempotency_in_progress" : "idempotency_mismatch" });
}

function refuse<Answer>(rejection: Rejection): Beginning<Answer> {
	return { kind: "answered", answer: { answer: rejected(rejection), replayedIn: null } };
}

/**
 * Statements that note the caller's key in the partner's register and read it back, for the first round trip;
 * a run beside another only reads. The last result is what {@link isMisused} takes.
 */
export function idempotencyStatements(context: CodeContext, lease: Lease | null): Statement[] {
	const mark = markOf(context);
	if (!mark) return [];
	const select = selectIdempotencyKey(context.db, mark, context.clock());
	return lease ? [openIdempotencyKey(context.db, mark, context.clock()), select] : [select];
}

/** Whether the partner has used the key with another body, on whichever code. */
export function isMisused({ call }: CodeContext, results: readonly unknown[]): boolean {
	if (!call.idempotency) return false;
	const [row] = results.at(-1) as { fingerprint: string }[];
	return row !== undefined && row.fingerprint !== call.idempotency.fingerprint;
}

export function markOf({ call: { partnerId, idempotency } }: Pick<CodeContext, "call">) {
	return idempotency && { partnerId, keyId: idempotency.keyId, fingerprint: idempotency.fingerprint };
}
