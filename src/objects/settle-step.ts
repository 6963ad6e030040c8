import { enterAbandonedSerial } from "../db/certificate-register.ts";
import { commitCodeChange, unmark } from "../db/change-code.ts";
import { closeIdempotencyKey } from "../db/idempotency-keys.ts";
import { ask, askBatch, type Statement } from "../db/query.ts";
import { type CodeRow, selectCode, selectStepCommit } from "../db/read-code.ts";
import { ATTEMPTS_ALLOWED, spendAttempt } from "../domain/attempts.ts";
import { announceChange } from "./announce-change.ts";
import type { CodeContext } from "./code-context.ts";
import { settleDraft } from "./kept-answers.ts";
import { type Lease, releaseLease } from "./lease.ts";

/** What settling needs of a call: after a crash there is none, only the object's own name. */
export type SettlingContext = Omit<CodeContext, "call"> & {
	call: Pick<CodeContext["call"], "partnerId" | "code" | "requestId">;
};

/** The audit action that closes a run which did not commit. */
export const ABANDONED = "step_abandoned";

/**
 * Ends a run whose commit did not arrive, or whose arrival is unknown: after a crash by the alarm or the next
 * call, in the run itself when D1 failed. Spends a reserved attempt, enters a reserved serial as revoked, and by
 * the version it takes keeps a late commit of the run from arriving. Safe to repeat.
 * @returns whether the run's own commit had arrived.
 * @throws {Unavailable} with the lease still in place.
 */
export async function settleStep(context: SettlingContext, lease: Lease): Promise<"committed" | "abandoned"> {
	const { db, storage, call } = context;
	for (;;) {
		const row = await readRow(context);
		const ended = row ? await findEnd(context, row, lease) : ABANDONED;
		if (ended !== null || row === null) return finish(storage, lease, ended !== ABANDONED);
		const close = lease.idempotency ? [closeKey(context, lease.idempotency)] : [];
		if (!lease.attemptReserved && !lease.commitUnknown && lease.serial === null) {
			await askBatch(db, [unmark(db, { ...call, until: lease.until }), ...close]);
			return finish(storage, lease, false);
		}
		if ((await abandon(context, row, lease, close)) === "committed") return finish(storage, lease, false);
	}
}

async function readRow({ db, call }: SettlingContext): Promise<CodeRow | null> {
	const [row] = await ask(selectCode(db, call.partnerId, call.code));
	return row ?? null;
}

/** The action with which the run ended, or null when nothing of it arrived. */
async function findEnd({ db }: SettlingContext, row: CodeRow, lease: Lease): Promise<string | null> {
	const [commit] = await ask(selectStepCommit(db, row.facts, lease.step));
	return commit?.action ?? null;
}

async function abandon(context: SettlingContext, row: CodeRow, lease: Lease, close: Statement[]) {
	const { db, call, clock } = context;
	const now = clock();
	const { partnerId, code } = row.facts;
	const serial =
		lease.serial === null ? [] : [enterAbandonedSerial(db, { serial: lease.serial, partnerId, code, now })];
	const set = lease.attemptReserved ? spentValidation(row, now) : {};
	const announcement = await announceChange(context, row, set, { now, opsReason: null });
	return commitCodeChange(db, {
		row,
		set,
		action: ABANDONED,
		outcome: lease.attemptReserved ? "attempt_spent" : "nothing_spent",
		actor: "system",
		requestId: call.requestId,
		step: lease.step,
		now,
		alongside: [...serial, ...close, ...announcement.alongside],
		written: announcement.written,
	});
}

/** The columns one failed ID validation changes. */
export function spentValidation({ facts }: CodeRow, now: number) {
	const count = { failures: facts.validationFailures, locks: facts.validationLocks };
	const spent = spendAttempt(count, ATTEMPTS_ALLOWED.validation, now);
	return {
		validationFailures: spent.failures,
		validationLocks: spent.locks,
		lockedUntil: spent.lockedUntil ?? facts.lockedUntil,
		blockedAt: spent.blockedAt ?? facts.blockedAt,
	};
}

/** The columns one failed claim changes. */
export function spentClaim({ facts }: CodeRow, now: number) {
	const spent = spendAttempt(
		{ failures: facts.claimFailures, locks: facts.claimLocks },
		ATTEMPTS_ALLOWED.claim,
		now,
	);
	return {
		claimFailures: spent.failures,
		claimLocks: spent.locks,
		lockedUntil: spent.lockedUntil ?? facts.lockedUntil,
		blockedAt: spent.blockedAt ?? facts.blockedAt,
	};
}

function closeKey({ db, call, clock }: SettlingContext, key: NonNullable<Lease["idempotency"]>): Statement {
	return closeIdempotencyKey(db, { partnerId: call.partnerId, ...key }, false, clock());
}

function finish(storage: DurableObjectStorage, lease: Lease, committed: boolean): "committed" | "abandoned" {
	if (lease.idempotency) settleDraft(storage, lease.idempotency.keyId, lease.step, committed);
	releaseLease(storage, lease);
	return committed ? "committed" : "abandoned";
}
