/** Outcome of an attempt. `label` is shown to ops: never text from the receiver. */
export type Outcome =
	/** `httpStatus`: of a webhook. */
	| { kind: "delivered"; httpStatus?: number }
	/** May succeed later. `retryAfterMs`: from the receiver's Retry-After, or null. */
	| { kind: "failed"; label: string; retryAfterMs: number | null; httpStatus?: number }
	/** The receiver answered 410: its endpoint is switched off. */
	| { kind: "gone"; url: string }
	/** Not sent, and not tried again until ops change a setting. */
	| { kind: "parked"; label: ParkedLabel };

type ParkedLabel =
	| "no_endpoint"
	| "endpoint_off"
	| "no_secret"
	| "address_refused"
	| "address_not_listed"
	| "payload_lost";

/** Labels of events that wait until ops set, correct or switch on the endpoint. */
export const WAITING_FOR_ENDPOINT = [
	"gone",
	"no_endpoint",
	"endpoint_off",
	"no_secret",
	"address_refused",
] as const;

export function labelOf(outcome: Outcome): string {
	return "label" in outcome ? outcome.label : outcome.kind;
}

export function failed(label: string, retryAfterMs: number | null = null): Outcome {
	return { kind: "failed", label, retryAfterMs };
}

/** Status of the receiver's answer, null without one. */
export function httpStatusOf(outcome: Outcome): number | null {
	if (outcome.kind === "gone") return HTTP_GONE;
	return ("httpStatus" in outcome && outcome.httpStatus) || null;
}

export const HTTP_GONE = 410;
