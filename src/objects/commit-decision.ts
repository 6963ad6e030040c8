import { type CodeRow, selectCode } from "../db/code-changes.ts";
import { batch } from "../db/query.ts";
import type { CertificateFacts } from "../domain/decide-revocation.ts";
import { partnerNow } from "../domain/partner-clock.ts";
import { type Change, type CommitContext, commitChange } from "./commit.ts";
import { rememberRevocation } from "./remembered.ts";
import { type Call, type Rejected, rejected } from "./rpc.ts";

export interface DecisionContext extends CommitContext {
	call: Call;
}

export type Decision<Answer> = {
	/** Returned once the change, if any, is committed. */
	answer: Answer | Rejected;
	change?: Pick<Change, "set" | "action" | "outcome" | "alongside" | "opsReason" | "revoked">;
	/** A certificate revoked by the commit, and its code's cancellation: the object remembers both. */
	revoked?: { certificate: CertificateFacts; cancelledAt: number | null } | null;
};

const TRIES = 3;

/**
 * Decides on the present state of the code, commits, and repeats both when another writer was faster.
 * @param decide - null: the code has changed since it was read.
 */
export async function commitDecision<Answer>(
	context: DecisionContext,
	decide: (row: CodeRow, now: number) => Promise<Decision<Answer> | null>,
): Promise<Answer | Rejected> {
	const { call, db, platform, storage } = context;
	const { partnerId, code, actor, requestId } = call;
	for (let attempt = 0; attempt < TRIES; attempt++) {
		const {
			code: [row],
		} = await batch(db, { code: selectCode(db, { partnerId, code }) });
		if (!row) return rejected({ reason: "not_found" });
		const now = partnerNow(platform, row);
		const decision = await decide(row, now);
		if (decision === null) continue;
		const { answer, change, revoked } = decision;
		if (change) {
			const result = await commitChange(context, { ...change, row, actor, requestId, stepId: null, now });
			if (result !== "committed") continue;
		}
		if (revoked)
			await rememberRevocation(storage, revoked.certificate, revoked.cancelledAt, platform.clock());
		return answer;
	}
	return rejected({ reason: "service_unavailable" });
}
