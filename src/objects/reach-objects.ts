import type { Bindings } from "../config.ts";
import { addTimings, type Timings, timed } from "../telemetry/timings.ts";
import type { PartnerObject } from "./partner-object.ts";
import { objectName, type PurchaseCodeObject } from "./purchase-code-object.ts";

/**
 * Objects are born beside D1, which knows no South America: a call pays one long trip to its object and the object's
 * two or three round trips to D1 are short. The database is created with the same location (docs/operations.md).
 */
const LOCATION = { locationHint: "enam" } as const;

/** The calls that objects take. */
type CodeObject = Pick<
	PurchaseCodeObject,
	"requestCertificate" | "claimCertificate" | "operate" | "revokeCertificate" | "mend"
>;
type PartnerCounter = Pick<PartnerObject, "admitEmission">;

/**
 * An object was reset, moved or overloaded before it answered. The lease it may have left behind settles what it
 * was doing; the caller may try again.
 */
export class ObjectUnreachable extends Error {}

/** @throws {ObjectUnreachable} or what the object itself threw: a bug. */
export async function reachCode<Answer extends { timings?: Timings }>(
	env: Bindings,
	partnerId: string,
	code: string,
	call: (object: CodeObject) => Promise<Answer>,
): Promise<Answer> {
	const object = env.PURCHASE_CODES.getByName(objectName(partnerId, code), LOCATION);
	const answer = await answerOf(() => call(object as unknown as CodeObject));
	addTimings(answer.timings);
	return answer;
}

/** @throws {ObjectUnreachable} or what the object itself threw: a bug. */
export function reachPartner<Answer>(
	env: Bindings,
	partnerId: string,
	call: (object: PartnerCounter) => Promise<Answer>,
): Promise<Answer> {
	const object = env.PARTNERS.getByName(partnerId, LOCATION);
	return answerOf(() => call(object as unknown as PartnerCounter));
}

/** Marks that the platform puts on what a call to an object throws. */
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
		throw new ObjectUnreachable(String(error));
	}
}
