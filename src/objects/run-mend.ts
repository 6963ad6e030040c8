import { enterCertificate } from "../db/certificate-register.ts";
import { commitCodeChange, unmark } from "../db/change-code.ts";
import { ask, askBatch } from "../db/query.ts";
import { type CodeRow, selectCode } from "../db/read-code.ts";
import { DEFAULT_REVOCATION_REASON } from "../domain/revocation-reason.ts";
import type { CodeContext } from "./code-context.ts";
import { isRunning, readLease } from "./lease.ts";
import { type MendAnswer, type MendCall, rejected } from "./rpc.ts";
import { settleStep } from "./settle-step.ts";

/**
 * Mends what the reconciliation found on a code, if it still is so: a step that nobody ended is settled and its
 * mark taken away; the certificate that the code names and the register of serials lacks is entered there.
 */
export async function runMend(context: CodeContext<MendCall>): Promise<MendAnswer> {
	const { call, storage, db, clock } = context;
	const lease = readLease(storage);
	if (lease && isRunning(lease, clock())) return rejected({ reason: "other_validation_in_progress" });
	if (lease) await settleStep(context, lease);
	const [row] = await ask(selectCode(db, call.partnerId, call.code));
	if (!row) return rejected({ reason: "not_found" });
	return call.kind === "stale_step" ? endStep(context, row) : enterMissing(context, row);
}

async function endStep({ call, db, clock }: CodeContext<MendCall>, { facts }: CodeRow): Promise<MendAnswer> {
	const until = facts.processingUntil;
	if (until !== null && until <= clock()) await askBatch(db, [unmark(db, { ...call, until })]);
	return { kind: "mended" };
}

/** All but the leaf follows from the code; a code that is cancelled has its certificate entered as revoked. */
async function enterMissing(context: CodeContext<MendCall>, row: CodeRow): Promise<MendAnswer> {
	const { call, db, clock } = context;
	const { partnerId, code, issuedAt, certificateSerial, certificateNotAfter, cancelledAt } = row.facts;
	if (issuedAt === null || certificateSerial === null) return rejected({ reason: "not_found" });
	const entry = {
		serial: certificateSerial,
		partnerId,
		code,
		issuedAt,
		notAfter: certificateNotAfter,
		...(cancelledAt !== null && { revokedAt: cancelledAt, revocationReason: DEFAULT_REVOCATION_REASON }),
	};
	const result = await commitCodeChange(db, {
		row,
		set: {},
		action: "certificate_entered",
		outcome: certificateSerial,
		actor: call.actor,
		requestId: call.requestId,
		step: null,
		now: clock(),
		alongside: [enterCertificate(db, entry)],
	});
	return result === "committed" ? { kind: "mended" } : rejected({ reason: "service_unavailable" });
}
