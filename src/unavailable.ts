/**
 * A part that the service depends on did not answer; the log names it. Whether a write to it arrived is unknown; the
 * caller may try again (503).
 */
export class Unavailable extends Error {
	/** Why the call is refused. */
	reason: "service_unavailable" | "outcome_unknown" = "service_unavailable";

	constructor(part: "db" | "bucket" | "object" | "access" | "authority" | "signer", detail: string) {
		super(`${part}: ${detail}`);
	}
}

/** Handles the failure of a commit that nobody reads back: the caller is told that it may have happened. */
export function leaveOpen(error: unknown): never {
	if (error instanceof Unavailable) error.reason = "outcome_unknown";
	throw error;
}
