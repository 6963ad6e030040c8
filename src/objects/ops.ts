import { enterCertificate, findCertificateOfCode, revokeCertificate } from "../db/certificates.ts";
import { type CodeRow, unmark } from "../db/code-changes.ts";
import { withdrawCertificate } from "../db/outbox.ts";
import { batch } from "../db/query.ts";
import { decideOps } from "../domain/decide-ops.ts";
import { type CertificateFacts, decideRevocation } from "../domain/decide-revocation.ts";
import { DEFAULT_REVOCATION_REASON, type RevocationReason } from "../domain/revocation-reason.ts";
import { changeCode, isAtRest } from "./change-code.ts";
import type { Decision } from "./commit-decision.ts";
import { readRemembered } from "./remembered.ts";
import {
	type Call,
	type OpsAnswer,
	type OpsCall,
	type RepairAnswer,
	type RepairCall,
	type RevocationAnswer,
	type RevocationCall,
	rejected,
} from "./rpc.ts";
import type { StepContext } from "./use-case.ts";

/* Changes of a code by ops and by the reconciliation. */

/** Cancels, blocks or unblocks a code. */
export function operate(context: StepContext<OpsCall>): Promise<OpsAnswer> {
	const { call, db, platform } = context;
	const { partnerId, code, verb, reason } = call;
	return changeCode(context, async (row, now): Promise<Decision<OpsAnswer>> => {
		const { facts } = row;
		const at = platform.clock();
		const decision = decideOps(verb, facts, now);
		if (decision.kind === "rejected") return { answer: rejected(decision.rejection) };
		const serial = verb === "cancel" ? facts.certificateSerial : null;
		const certificate = serial && (await findCertificateOfCode(db, { partnerId, code, serial }));
		if (decision.kind === "unchanged") {
			const revoked = certificate ? { certificate, cancelledAt: facts.cancelledAt } : null;
			return { answer: { kind: "done", facts }, revoked };
		}
		const { set, revokes } = decision;
		const revocationReason = call.revocationReason ?? DEFAULT_REVOCATION_REASON;
		const alongside = [
			...(revokes === null
				? []
				: [revokeCertificate(db, { serial: revokes, partnerId, reason: revocationReason, at })]),
			...(set.cancelledAt == null
				? []
				: [withdrawCertificate({ partnerId, code, now, why: "cancelled" as const })]),
		];
		const changed = { version: facts.version + 1, updatedAt: now, processingUntil: null };
		return {
			answer: { kind: "done", facts: { ...facts, ...set, ...changed } },
			change: {
				set,
				action: verb,
				outcome: reason,
				alongside,
				opsReason: reason,
				revoked:
					certificate && certificate.revokedAt === null
						? { serial: certificate.serial, reason: revocationReason, at }
						: null,
			},
			revoked: certificate
				? { certificate: revokedOnce(certificate, revocationReason, at), cancelledAt: now }
				: null,
		};
	});
}

/** The first revocation remains. */
function revokedOnce(certificate: CertificateFacts, reason: RevocationReason, at: number): CertificateFacts {
	const { revokedAt, revocationReason } = certificate;
	return { ...certificate, revokedAt: revokedAt ?? at, revocationReason: revocationReason ?? reason };
}

/** Revokes a certificate of a code; the code does not change. */
export function revoke(context: StepContext<RevocationCall>): Promise<RevocationAnswer> {
	const { call, db, platform } = context;
	const { partnerId, serial, reason } = call;
	return changeCode(context, async (row, now): Promise<Decision<RevocationAnswer>> => {
		const certificate = await findCertificateOfCode(db, call);
		const at = platform.clock();
		const decision = decideRevocation(certificate, reason, at);
		if (decision.kind === "rejected") return { answer: rejected(decision.rejection) };
		if (!certificate) return { answer: rejected({ reason: "not_found" }) };
		if (decision.kind === "unchanged")
			return { answer: { kind: "revoked", facts: certificate }, revoked: { certificate, cancelledAt: null } };
		// Only the certificate that the code names was delivered: a stray serial has no delivery of its own.
		const delivered = row.facts.certificateSerial === serial;
		return {
			answer: { kind: "revoked", facts: { ...certificate, ...decision.set } },
			revoked: { certificate: { ...certificate, ...decision.set }, cancelledAt: null },
			change: {
				set: {},
				action: "revoke",
				outcome: `${serial} ${reason}`,
				alongside: [
					revokeCertificate(db, { serial, partnerId, reason, at }),
					...(delivered ? [withdrawCertificate({ ...call, now, why: "revoked" })] : []),
				],
				opsReason: null,
				revoked: { serial, reason, at },
			},
		};
	});
}

/**
 * Repairs the reconciliation's finding, if it still holds: a step that never ended is recovered and its mark removed; a
 * certificate that the code names and D1 lacks is entered.
 */
export async function repair(context: StepContext<RepairCall>): Promise<RepairAnswer> {
	const { call, db } = context;
	if (!(await isAtRest(context))) return rejected({ reason: "other_validation_in_progress" });
	return changeCode(context, async ({ facts }, now): Promise<Decision<RepairAnswer>> => {
		if (call.kind === "certificate_missing") return enterMissing(context, facts);
		const until = facts.processingUntil;
		if (until !== null && until <= now) await batch(db, { code: unmark(db, { ...call, until }) });
		return { answer: { kind: "repaired" } };
	});
}

/**
 * Enters a certificate again: all but its leaf and issuer follows from the code. The object remembers the issuer for a month;
 * after that the authority of today is named. A cancelled code's certificate is entered as revoked.
 */
function enterMissing(
	{ storage, db, platform: { authority } }: StepContext<Call>,
	facts: CodeRow["facts"],
): Decision<RepairAnswer> {
	const { partnerId, code, issuedAt, certificateSerial: serial, certificateNotAfter, cancelledAt } = facts;
	if (issuedAt === null || serial === null) return { answer: rejected({ reason: "not_found" }) };
	const remembered = readRemembered(storage).find((one) => one.serial === serial);
	const entry = {
		serial,
		issuerKeyId: remembered?.issuerKeyId ?? authority.keyId,
		partnerId,
		code,
		issuedAt,
		notAfter: certificateNotAfter,
		signerEntry: remembered?.signerEntry ?? null,
		signerHead: remembered?.signerHead ?? null,
		signerHeadSignature: remembered?.signerHeadSignature ?? null,
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
