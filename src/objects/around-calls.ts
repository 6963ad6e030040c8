import { ConfigError } from "../settings/config-error.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { Unavailable } from "../unavailable.ts";
import { LeaseLost } from "./lease.ts";
import { type Call, type Rejected, type Replayable, rejected } from "./rpc.ts";
import type { StepContext } from "./use-case.ts";

/* Wrappers of the object's calls: the freeze, and failures that are no bugs. */

/** @returns false when D1 did not answer; the platform's own retries of an alarm end after minutes. */
export async function tryOnAlarm(work: () => Promise<void>): Promise<boolean> {
	try {
		await work();
		return true;
	} catch (error) {
		log("error", "step_left_to_alarm", { ...describeError(error) });
		if (error instanceof Unavailable || error instanceof ConfigError) return false;
		throw new Error("an alarm failed by a bug; see the object's own log line");
	}
}

/** A use case whose answer is given once: none is kept for a repeated Idempotency-Key. */
export function once<C extends Call, Answer>(useCase: (context: StepContext<C>) => Promise<Answer>) {
	return async (context: StepContext<C>): Promise<Replayable<Answer>> => ({
		answer: await useCase(context),
		replayedIn: null,
	});
}

/** A partner's step, which is refused while its database is frozen. */
export function unlessFrozen<C extends Call, Answer>(
	useCase: (context: StepContext<C>) => Promise<Replayable<Answer | Rejected>>,
): typeof useCase {
	return async (context) =>
		context.isFrozen
			? { answer: rejected({ reason: "service_unavailable" }), replayedIn: null }
			: useCase(context);
}

/** Failures of a step that are not bugs, and their log events. */
const EXPECTED = [
	[Unavailable, "unavailable"],
	[LeaseLost, "lease_lost"],
	[ConfigError, "unavailable"],
] as const;

/** An upstream's absence and a lost lease are expected outcomes; anything else is a bug and stays an exception. */
export function unavailable(error: unknown, request_id: string): Rejected {
	const expected = EXPECTED.find(([kind]) => error instanceof kind);
	if (expected) log("error", expected[1], { request_id, ...describeError(error) });
	else {
		log("error", "bug", { request_id, ...describeError(error) });
		// The platform logs an uncaught error of the object, whose message may quote a value.
		throw new Error("a step failed by a bug; see the object's own log line");
	}
	return rejected({ reason: "service_unavailable" });
}
