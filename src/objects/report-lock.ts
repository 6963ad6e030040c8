import type { CodeFacts } from "../domain/code-facts.ts";
import { log } from "../telemetry/log.ts";
import { count } from "../telemetry/metrics.ts";
import type { CodeContext } from "./code-context.ts";

/** Tells log and counters of a security lock that a committed change opened: guessing shows here first. */
export function reportLock(
	{ call, platform }: CodeContext,
	facts: CodeFacts,
	{
		set,
		action,
	}: {
		set: { lockedUntil?: number | null | undefined; blockedAt?: number | null | undefined };
		action: string;
	},
): void {
	const permanent = facts.blockedAt === null && typeof set.blockedAt === "number";
	const temporary = typeof set.lockedUntil === "number" && set.lockedUntil !== facts.lockedUntil;
	if (!permanent && !temporary) return;
	const outcome = permanent ? "permanent" : "temporary";
	const { partnerId, code, requestId } = call;
	log("warn", "code_locked", {
		request_id: requestId,
		partner_id: partnerId,
		p_code: code,
		cause: action,
		outcome,
	});
	count(platform.metrics, { name: "lock", outcome, subject: action, partnerId });
}
