/** The service's answer is not the model's: the calls so far, then where they differ, a line each. */
export class Disagreement extends Error {
	constructor(lines: readonly string[]) {
		super(lines.join("\n"));
	}
}
