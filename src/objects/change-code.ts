import type { CodeRow } from "../db/code-changes.ts";
import { commitDecision, type Decision } from "./commit-decision.ts";
import { isRunning, readLease } from "./lease.ts";
import { mendIfForgotten } from "./mend.ts";
import { recoverStep } from "./recovery.ts";
import type { Rejected } from "./rpc.ts";
import type { StepContext } from "./use-case.ts";

/*
 * Changes of a code that are no partner's step: by ops and by jobs. They do not wait for the lease: their commit takes
 * the version that a running step would take, and that step finds out at its own commit.
 */

/** Decides on the present state of the code, after D1 was told again what a restore made it forget. */
export function changeCode<Answer>(
	context: StepContext,
	decide: (row: CodeRow, now: number) => Promise<Decision<Answer>>,
): Promise<Answer | Rejected> {
	return commitDecision(context, async (row, now) =>
		(await mendIfForgotten(context, row.facts)) ? null : decide(row, now),
	);
}

/** Recovers a crashed step before a change; leaves a running one alone. @returns false while one runs. */
export async function isAtRest(context: StepContext): Promise<boolean> {
	const lease = readLease(context.storage);
	if (!lease) return true;
	if (isRunning(lease, context.platform.clock())) return false;
	await recoverStep(context, lease);
	return true;
}
