import { vi } from "vitest";

/*
 * Timeout of waits for asynchronous events: below a test's own, far above what a busy machine needs. Vitest's second is
 * too short, and a longer wait costs a passing test nothing. `expect.poll` has it from vitest.config.ts.
 */

const PATIENCE_MS = 30_000;

const patient = Symbol.for("waits patiently");
const { waitFor, waitUntil } = vi;
if (!(patient in vi))
	Object.assign(vi, {
		[patient]: true,
		waitFor: (isSo, options) => waitFor(isSo, withPatience(options)),
		waitUntil: (isSo, options) => waitUntil(isSo, withPatience(options)),
	} satisfies Partial<typeof vi> & Record<symbol, true>);

function withPatience(options: number | { timeout?: number; interval?: number } = {}) {
	return typeof options === "number" ? options : { timeout: PATIENCE_MS, ...options };
}
