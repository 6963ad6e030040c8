/**
 * A part that the service depends on did not answer; the log names it. Whether a write to it arrived is unknown; the
 * caller may try again (503).
 */
export class Unavailable extends Error {
	/** Why the call is refused. */
	reason: "service_unavailable" | "outcome_unknown" = "service_unavailable";

	/** `moving`: the partner's rows are on their way to another database, and nothing was written. */
	readonly part: "db" | "moving" | "bucket" | "object" | "access" | "authority" | "signer";

	constructor(part: Unavailable["part"], detail: string) {
		super(`${part}: ${detail}`);
		this.part = part;
	}
}

/** Tells whether a moving partner's place refused a write: nothing was written, and nothing can arrive later. */
export function isMoving(error: unknown): boolean {
	return error instanceof Unavailable && error.part === "moving";
}

/** Handles the failure of a commit that nobody reads back: the caller is told that it may have happened. */
export function leaveOpen(error: unknown): never {
	if (error instanceof Unavailable && !isMoving(error)) error.reason = "outcome_unknown";
	throw error;
}
