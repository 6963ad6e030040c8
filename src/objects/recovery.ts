import { enterUnissuedSerial } from "../db/certificates.ts";
import { type CodeRow, selectCode, selectStepCommit, unmark } from "../db/code-changes.ts";
import { selectOpenSession } from "../db/onboarding-sessions.ts";
import { batch, query } from "../db/query.ts";
import { countRutFailure } from "../db/rut-attempts.ts";
import { failedAttempt } from "../domain/attempts.ts";
import { partnerNow } from "../domain/partner-clock.ts";
import { type CommitContext, commitChange } from "./commit.ts";
import { closeKey, endProvisional } from "./idempotency.ts";
import { holdsLease, type Lease, markedUntil, noteOnLease, releaseLease } from "./lease.ts";
import { eraseProgressBut } from "./onboarding-progress.ts";
import { rememberSerial } from "./remembered.ts";
import type { Call } from "./rpc.ts";

/** Context of a recovery: after a crash there is no call, only the lease. */
export interface RecoveryContext extends CommitContext {
	/** Named in the audit; the alarm makes up an id of its own. */
	call: Pick<Call, "requestId">;
}

/** The audit action of a run that was rolled back. */
const ROLLED_BACK = "step_abandoned";

/**
 * Ends a run whose commit did not arrive, or whose arrival is unknown: after a crash by the alarm or the next call, in
 * the run itself when D1 failed. Spends a reserved attempt and enters a reserved serial as revoked; the version it
 * takes keeps a late commit of the run from arriving. Safe to repeat.
 * @returns whether the run's own commit had arrived.
 * @throws {Unavailable} with the lease still in place.
 */
export async function recoverStep(
	context: RecoveryContext,
	lease: Lease,
): Promise<"committed" | "rolled_back"> {
	const {
		storage,
		db,
		platform: { clock },
	} = context;
	const { partnerId, code, stepId } = lease;
	for (;;) {
		const {
			code: [row],
			session: [session],
		} = await batch(db, { code: selectCode(db, lease), session: selectOpenSession(db, lease) });
		/** Keeps the state of the code's session only, unless this run was making or ending that session. */
		const settle = (committed: boolean) => {
			eraseProgressBut(storage, session?.id ?? null);
			return end(storage, lease, committed);
		};
		const [commit] = row ? await query(selectStepCommit(db, row.facts, stepId)) : [];
		if (!row || commit) {
			const issued = row !== undefined && row.facts.certificateSerial === lease.serial;
			rememberSerial(storage, lease, issued, clock());
			return settle(commit !== undefined && commit.action !== ROLLED_BACK);
		}
		if (!lease.attemptReserved && !lease.commitUnknown && lease.serial === null) {
			const key = closeKey(db, lease, false, clock());
			await batch(db, { code: unmark(db, { partnerId, code, until: markedUntil(lease, row) }), key });
			return settle(false);
		}
		if ((await commitRollback(context, row, lease)) === "committed") {
			rememberSerial(storage, lease, false, clock());
			return settle(false);
		}
	}
}

/** Ends a run that cannot go on: nothing is spent, a serial that may have been signed is entered as revoked. */
export async function rollBack(context: RecoveryContext, lease: Lease): Promise<void> {
	if (!holdsLease(context.storage, lease)) return;
	noteOnLease(context.storage, lease, { attemptReserved: false });
	await recoverStep(context, lease);
}

function commitRollback(context: RecoveryContext, row: CodeRow, lease: Lease) {
	const { db, platform } = context;
	const { partnerId, attemptReserved, rutIndex, stepId } = lease;
	const at = platform.clock();
	const now = partnerNow(platform, row);
	return commitChange(context, {
		row,
		set: attemptReserved ? failedAttempt(row.facts, "validation", now) : {},
		action: ROLLED_BACK,
		outcome: attemptReserved ? "attempt_spent" : "nothing_spent",
		actor: "job:recovery",
		requestId: context.call.requestId,
		stepId,
		now,
		alongside: [
			...enterUnissuedSerial(db, lease, at),
			...(attemptReserved && rutIndex ? [countRutFailure(db, { partnerId, rutIndex }, now)] : []),
			...closeKey(db, lease, false, at),
		],
		opsReason: null,
	});
}

function end(storage: DurableObjectStorage, lease: Lease, committed: boolean): "committed" | "rolled_back" {
	if (lease.idempotency) endProvisional(storage, lease.idempotency.keyId, lease.stepId, committed);
	releaseLease(storage, lease);
	return committed ? "committed" : "rolled_back";
}
