import type { Bindings } from "../config.ts";
import { type Rejected, type Replayable, rejected } from "./messages.ts";
import { objectName, type PurchaseCodeObject } from "./purchase-code-object.ts";

/** The service is for Chile: objects are born in South America, beside most of their callers. */
const LOCATION = "sam";

/** The calls that a code's object takes. */
type CodeObject = Pick<PurchaseCodeObject, "requestCertificate" | "claimCertificate" | "operate">;

/**
 * Calls the object of a partner's code. An object that was reset, moved or overloaded has answered nothing: the
 * lease it left behind settles what it was doing, and the caller may try again.
 * @throws what the object itself threw: a bug.
 */
export async function reachCode<Answer>(
	env: Bindings,
	partnerId: string,
	code: string,
	call: (object: CodeObject) => Promise<Replayable<Answer>>,
): Promise<Replayable<Answer | Rejected>> {
	const object = env.PURCHASE_CODES.getByName(objectName(partnerId, code), { locationHint: LOCATION });
	try {
		return await call(object as unknown as CodeObject);
	} catch (error) {
		if ((error as { remote?: boolean }).remote === true) throw error;
		console.error(JSON.stringify({ event: "object_unreachable", detail: String(error) }));
		return { answer: rejected({ reason: "service_unavailable" }), replayedIn: null };
	}
}
