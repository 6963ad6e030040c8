import { revokeCertificate } from "../db/certificate-register.ts";
import { commitCodeChange } from "../db/change-code.ts";
import { withdrawCertificate } from "../db/outbox-register.ts";
import { ask } from "../db/query.ts";
import { selectCode } from "../db/read-code.ts";
import { decideOps } from "../domain/decide-ops.ts";
import { DEFAULT_REVOCATION_REASON } from "../domain/revocation-reason.ts";
import { announceChange } from "./announce-change.ts";
import type { CodeContext } from "./code-context.ts";
import { type OpsAnswer, type OpsCall, rejected } from "./rpc.ts";

const TRIES = 3;

/**
 * Cancels, blocks or unblocks a code. Ops do not wait for the lease: their commit takes the version that a
 * running step would, and that step finds out at its own commit.
 */
export async function runOps(context: CodeContext<OpsCall>): Promise<OpsAnswer> {
	const { call, db, clock } = context;
	for (let attempt = 0; attempt < TRIES; attempt++) {
		const [row] = await ask(selectCode(db, call.partnerId, call.code));
		const now = clock();
		const decision = decideOps(call.verb, row?.facts ?? null, now);
		if (decision.kind === "rejected" || !row)
			return rejected(decision.kind === "rejected" ? decision.rejection : { reason: "not_found" });
		if (decision.kind === "unchanged") return { kind: "done", facts: row.facts };
		const revocation =
			decision.revokes === null
				? []
				: [
						revokeCertificate(db, {
							serial: decision.revokes,
							partnerId: call.partnerId,
							reason: call.revocationReason ?? DEFAULT_REVOCATION_REASON,
							now,
						}),
					];
		const { partnerId, code, reason } = call;
		const withdrawal =
			decision.set.cancelledAt == null
				? []
				: [withdrawCertificate(db, { partnerId, code, now, why: "cancelled" })];
		const announcement = await announceChange(context, row, decision.set, { now, opsReason: reason });
		const result = await commitCodeChange(db, {
			row,
			set: decision.set,
			action: call.verb,
			outcome: call.reason,
			actor: call.actor,
			requestId: call.requestId,
			step: null,
			now,
			alongside: [...revocation, ...withdrawal, ...announcement.alongside],
			written: announcement.written,
		});
		if (result === "committed")
			return {
				kind: "done",
				facts: {
					...row.facts,
					...decision.set,
					version: row.facts.version + 1,
					updatedAt: now,
					processingUntil: null,
				},
			};
	}
	return rejected({ reason: "service_unavailable" });
}
