/**
 * A part that the service depends on did not answer; the log names it. Whether a write to it arrived is unknown; the
 * caller may try again (503).
 */
export class Unavailable extends Error {
	constructor(part: "db" | "bucket" | "object" | "access" | "authority", detail: string) {
		super(`${part}: ${detail}`);
	}
}
