/** How an attempt ended. `label` is what ops see: never anything the receiver said. */
export type Outcome =
	| { kind: "delivered" }
	/** May succeed later. `retryAfterMs`: what the receiver asked for, or null. */
	| { kind: "failed"; label: string; retryAfterMs: number | null }
	/** The receiver answered 410: its endpoint is switched off. */
	| { kind: "gone"; url: string }
	/** Nothing was sent, and nothing will change until ops change something. */
	| { kind: "parked"; label: ParkedLabel };

type ParkedLabel = "no_endpoint" | "endpoint_off" | "no_secret" | "address_refused" | "payload_lost";

/** The labels with which a delivery waits for ops to give, mend or switch on the endpoint. */
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
