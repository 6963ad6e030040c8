/**
 * A part that the service depends on did not answer. Whether a write to it arrived is unknown; the caller may try
 * again (503).
 */
export class Unavailable extends Error {
	readonly part: "db" | "bucket" | "object";

	constructor(part: Unavailable["part"], detail: string) {
		super(detail);
		this.part = part;
	}
}
