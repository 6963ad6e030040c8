import type { Platform } from "../platform.ts";
import { addTimings, type Timings, timed } from "../telemetry/timings.ts";
import { Unavailable } from "../unavailable.ts";
import type { OnboardingCalls } from "./onboarding-rpc.ts";
import type { HandedOn, PartnerCalls } from "./partner-rpc.ts";
import type { CodeCalls, Replayable } from "./rpc.ts";

/* Stubs by which the Worker calls the Durable Objects. Nothing that runs inside them is imported here. */

/**
 * Objects are created near D1, which has no South American location: a call pays one long trip to its object and the object's
 * two or three round trips to D1 are short. The database is created with the same location (docs/operators/deploy.md).
 */
const LOCATION = { locationHint: "enam" } as const;

/** Name of the object of a partner's code: another partner's call with the same code reaches another object. */
export function objectName(partnerId: string, code: string): string {
	return `${partnerId}/${code}`;
}

/** The calls that a purchase code's object takes. */
export type CodeObject = CodeCalls & OnboardingCalls;

/**
 * Calls a purchase code's object.
 * @throws {Unavailable} when the object was reset, moved or overloaded before it answered: a lease that it may have
 * left behind ends the run. Any other error of the object is a bug.
 */
export async function callCode<Answer extends { timings?: Timings }>(
	{ codes }: Pick<Platform, "codes">,
	{ partnerId, code }: { partnerId: string; code: string },
	call: (object: CodeObject) => Promise<Answer>,
): Promise<Answer> {
	const object = codes.getByName(objectName(partnerId, code), LOCATION);
	const answer = await answerOf(() => call(object as unknown as CodeObject));
	addTimings(answer.timings);
	return answer;
}

/** Calls a partner's object. @throws {Unavailable} as {@link callCode} does. */
export function callPartner<Answer>(
	{ partners }: Pick<Platform, "partners">,
	partnerId: string,
	call: (object: PartnerCalls) => Promise<Answer>,
): Promise<Answer> {
	const object = partners.getByName(partnerId, LOCATION);
	return answerOf(() => call(object as unknown as PartnerCalls));
}

/** Unpacks the code's object's answer to a call through the partner's object. @throws when it failed by a bug */
export function takeHandedOn<Answer>(reply: HandedOn<Answer>): Replayable<Answer> {
	if (reply === "bug") throw new Error("a step failed by a bug; see the partner's object's own log line");
	addTimings(reply.timings);
	return reply;
}

/** Properties that the platform sets on the exception of a call to an object. */
interface CallError {
	remote?: boolean;
	durableObjectReset?: boolean;
	retryable?: boolean;
	overloaded?: boolean;
}

async function answerOf<Answer>(call: () => Promise<Answer>): Promise<Answer> {
	try {
		return await timed("object", call);
	} catch (error) {
		const { remote, durableObjectReset, retryable, overloaded } = error as CallError;
		if (remote && !durableObjectReset && !retryable && !overloaded) throw error;
		throw new Unavailable("object", String(error));
	}
}
