import { vi } from "vitest";

/*
 * How long a test waits for what comes by itself: below what a test may take, far above what it takes on a busy machine.
 * Vitest's own second is neither, and waiting costs nothing where the test passes. `expect.poll` has it from vitest.config.ts.
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
