/**
 * An upstream that gave no usable answer: the holder is neither confirmed nor refused, and no attempt is spent.
 *
 * - `timeout`: the deadline ran out before the whole answer had arrived
 * - `connection`: no connection, or it broke while the answer was being read
 * - `status`: an HTTP status the contract gives no meaning, redirects included
 * - `format`: an answer that does not follow the contract
 */
export interface Unavailable {
	kind: "unavailable";
	reason: "timeout" | "connection" | "status" | "format";
	/** For the operator's log, in English. Never quotes the request or the answer: both hold personal data. */
	detail: string;
}
