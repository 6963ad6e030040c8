import { enterCertificate, findCertificateOfCode, revokeCertificate } from "../db/certificates.ts";
import { type CodeRow, selectCode, unmark } from "../db/code-changes.ts";
import { withdrawCertificate } from "../db/outbox.ts";
import { batch, query } from "../db/query.ts";
import { decideOps } from "../domain/decide-ops.ts";
import { decideRevocation } from "../domain/decide-revocation.ts";
import { DEFAULT_REVOCATION_REASON } from "../domain/revocation-reason.ts";
import { type Change, commitChange } from "./commit.ts";
import { isRunning, readLease } from "./lease.ts";
import { recoverStep } from "./recovery.ts";
import {
	type Call,
	type OpsAnswer,
	type OpsCall,
	type Rejected,
	type RepairAnswer,
	type RepairCall,
	type RevocationAnswer,
	type RevocationCall,
	rejected,
} from "./rpc.ts";
import type { StepContext } from "./step.ts";

/*
 * What ops do to a code. Ops do not wait for the lease: their commit takes the version that a running step would take,
 * and that step learns of it at its own commit.
 */

type Decision<Answer> = {
	/** What answers when the change, if any, is committed. */
	answer: Answer | Rejected;
	change?: Pick<Change, "set" | "action" | "outcome" | "alongside" | "opsReason">;
};

const TRIES = 3;

/** Decides on the code as it is now, and again when another writer was faster. */
async function changeCode<Answer>(
	context: StepContext,
	decide: (row: CodeRow, now: number) => Promise<Decision<Answer>>,
): Promise<Answer | Rejected> {
	const { call, platform } = context;
	const { partnerId, code, actor, requestId } = call;
	for (let attempt = 0; attempt < TRIES; attempt++) {
		const [row] = await query(selectCode(platform.db, partnerId, code));
		if (!row) return rejected({ reason: "not_found" });
		const now = platform.clock();
		const { answer, change } = await decide(row, now);
		if (!change) return answer;
		const result = await commitChange(context, { ...change, row, actor, requestId, step: null, now });
		if (result === "committed") return answer;
	}
	return rejected({ reason: "service_unavailable" });
}

/** Cancels, blocks or unblocks a code. */
export function operate(context: StepContext<OpsCall>): Promise<OpsAnswer> {
	const { call, platform } = context;
	const { db } = platform;
	const { partnerId, code, verb, reason } = call;
	return changeCode(context, async (row, now): Promise<Decision<OpsAnswer>> => {
		const { facts } = row;
		const decision = decideOps(verb, facts, now);
		if (decision.kind === "rejected") return { answer: rejected(decision.rejection) };
		if (decision.kind === "unchanged") return { answer: { kind: "done", facts } };
		const { set, revokes } = decision;
		const revocationReason = call.revocationReason ?? DEFAULT_REVOCATION_REASON;
		const alongside = [
			...(revokes === null
				? []
				: [revokeCertificate(db, { serial: revokes, partnerId, reason: revocationReason, now })]),
			...(set.cancelledAt == null
				? []
				: [withdrawCertificate(db, { partnerId, code, now, why: "cancelled" as const })]),
		];
		const changed = { version: facts.version + 1, updatedAt: now, processingUntil: null };
		return {
			answer: { kind: "done", facts: { ...facts, ...set, ...changed } },
			change: { set, action: verb, outcome: reason, alongside, opsReason: reason },
		};
	});
}

/** Revokes a certificate of a code and leaves the code as it is. */
export function revoke(context: StepContext<RevocationCall>): Promise<RevocationAnswer> {
	const { call, platform } = context;
	const { db } = platform;
	const { partnerId, serial, reason } = call;
	return changeCode(context, async (row, now): Promise<Decision<RevocationAnswer>> => {
		const certificate = await findCertificateOfCode(db, call);
		const decision = decideRevocation(certificate, reason, now);
		if (decision.kind === "rejected") return { answer: rejected(decision.rejection) };
		if (!certificate) return { answer: rejected({ reason: "not_found" }) };
		if (decision.kind === "unchanged") return { answer: { kind: "revoked", facts: certificate } };
		// Only of the certificate that the code names: a stray serial has no delivery of its own.
		const delivered = row.facts.certificateSerial === serial;
		return {
			answer: { kind: "revoked", facts: { ...certificate, ...decision.set } },
			change: {
				set: {},
				action: "revoke",
				outcome: `${serial} ${reason}`,
				alongside: [
					revokeCertificate(db, { serial, partnerId, reason, now }),
					...(delivered ? [withdrawCertificate(db, { ...call, now, why: "revoked" })] : []),
				],
				opsReason: null,
			},
		};
	});
}

/**
 * Repairs what the reconciliation found, if it is still so: a step that never ended is recovered and its mark
 * removed; a certificate that the code names and D1 lacks is entered.
 */
export async function repair(context: StepContext<RepairCall>): Promise<RepairAnswer> {
	const { call, storage, platform } = context;
	const { db, clock } = platform;
	const lease = readLease(storage);
	if (lease && isRunning(lease, clock())) return rejected({ reason: "other_validation_in_progress" });
	if (lease) await recoverStep(context, lease);
	return changeCode(context, async ({ facts }, now): Promise<Decision<RepairAnswer>> => {
		if (call.kind === "certificate_missing") return enterMissing(context, facts);
		const until = facts.processingUntil;
		if (until !== null && until <= now) await batch(db, { code: unmark(db, { ...call, until }) });
		return { answer: { kind: "repaired" } };
	});
}

/** All but the leaf follows from the code; a cancelled code's certificate is entered as revoked. */
function enterMissing(
	{ platform: { db } }: StepContext<Call>,
	facts: CodeRow["facts"],
): Decision<RepairAnswer> {
	const { partnerId, code, issuedAt, certificateSerial: serial, certificateNotAfter, cancelledAt } = facts;
	if (issuedAt === null || serial === null) return { answer: rejected({ reason: "not_found" }) };
	const entry = {
		serial,
		partnerId,
		code,
		issuedAt,
		notAfter: certificateNotAfter,
		...(cancelledAt !== null && { revokedAt: cancelledAt, revocationReason: DEFAULT_REVOCATION_REASON }),
	};
	return {
		answer: { kind: "repaired" },
		change: {
			set: {},
			action: "certificate_entered",
			outcome: serial,
			alongside: [enterCertificate(db, entry)],
			opsReason: null,
		},
	};
}
