import { type CodeRow, selectCode } from "../db/code-changes.ts";
import { batch } from "../db/query.ts";
import type { CertificateFacts } from "../domain/decide-revocation.ts";
import { type Change, commitChange } from "./commit.ts";
import { isRunning, readLease } from "./lease.ts";
import { mendForgotten } from "./mend.ts";
import { recoverStep } from "./recovery.ts";
import { isForgotten, rememberRevocation } from "./remembered.ts";
import { type Rejected, rejected } from "./rpc.ts";
import type { StepContext } from "./step.ts";

/*
 * Changes of a code that are no partner's step: by ops and by jobs. They do not wait for the lease: their commit takes
 * the version that a running step would take, and that step learns of it at its own commit.
 */

export type Decision<Answer> = {
	/** What answers when the change, if any, is committed. */
	answer: Answer | Rejected;
	change?: Pick<Change, "set" | "action" | "outcome" | "alongside" | "opsReason" | "revoked">;
	/** A certificate that is revoked by then, and when its code was cancelled: the object remembers both. */
	revoked?: { certificate: CertificateFacts; cancelledAt: number | null } | null;
};

const TRIES = 3;

/** Decides on the code as it is now, and again when another writer was faster. */
export async function changeCode<Answer>(
	context: StepContext,
	decide: (row: CodeRow, now: number) => Promise<Decision<Answer>>,
): Promise<Answer | Rejected> {
	const { call, platform } = context;
	const { partnerId, code, actor, requestId } = call;
	for (let attempt = 0; attempt < TRIES; attempt++) {
		const {
			code: [row],
		} = await batch(platform.db, { code: selectCode(platform.db, { partnerId, code }) });
		if (!row) return rejected({ reason: "not_found" });
		if (isForgotten(context.storage, row.facts)) {
			await mendForgotten(context);
			continue;
		}
		const now = platform.clock();
		const { answer, change, revoked } = await decide(row, now);
		if (change) {
			const result = await commitChange(context, { ...change, row, actor, requestId, step: null, now });
			if (result !== "committed") continue;
		}
		if (revoked) await rememberRevocation(context.storage, revoked.certificate, revoked.cancelledAt, now);
		return answer;
	}
	return rejected({ reason: "service_unavailable" });
}

/** For a change that leaves a running step alone; one that crashed is recovered. @returns false while one runs. */
export async function isAtRest(context: StepContext): Promise<boolean> {
	const lease = readLease(context.storage);
	if (!lease) return true;
	if (isRunning(lease, context.platform.clock())) return false;
	await recoverStep(context, lease);
	return true;
}
