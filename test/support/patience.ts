import { vi } from "vitest";
import { giveUp } from "../../src/deadlines.ts";

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

/* The service's deadlines for D1 and the like last ten times as long: a busy machine, or a test that holds a call, would miss them. */
const setTimer = globalThis.setTimeout as (
	run: unknown,
	milliseconds?: number,
	...values: unknown[]
) => unknown;
if (!(patient in setTimer))
	globalThis.setTimeout = Object.assign(
		(run: unknown, milliseconds = 0, ...values: unknown[]) =>
			setTimer(run, run === giveUp ? 10 * milliseconds : milliseconds, ...values),
		{ [patient]: true },
	) as unknown as typeof setTimeout;

function withPatience(options: number | { timeout?: number; interval?: number } = {}) {
	return typeof options === "number" ? options : { timeout: PATIENCE_MS, ...options };
}
