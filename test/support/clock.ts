import { vi } from "vitest";
import { giveUp } from "../../src/deadlines.ts";
import { DAY_MS } from "../../src/domain/durations.ts";

/* Time as the Worker and the objects see it. It only ever moves forward, because alarms keep the real clock. */

/** Stops the clock at the present; vitest's own waits move it on by the time between their looks. */
export function stopClock(): void {
	vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
}

/** Moves the service's clock; the test's own timers go on. */
export function passTime(milliseconds: number): void {
	setTime(Date.now() + milliseconds);
}

export function setTime(time: number | Date): void {
	// A second fake clock would leave the first standing for who holds its `Date.now`.
	if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ["Date"] });
	vi.setSystemTime(time);
}

/**
 * Finds the year in which a day, as MM-DD, comes next. A test that names a day sets the clock to that year: time only moves
 * forward, and the local authority begins a week before its install.
 */
export function yearOfNext(day: string): number {
	const year = new Date().getUTCFullYear();
	return Date.parse(`${year}-${day}`) > Date.now() ? year : year + 1;
}

/** The next beginning of a UTC day, epoch milliseconds. */
export function nextMidnight(): number {
	return Math.ceil(Date.now() / DAY_MS) * DAY_MS;
}

export function startClock(): void {
	vi.useRealTimers();
}

/**
 * Divides timers of these lengths by a number from now on, but for the deadlines of D1 and the like; below one it lengthens
 * them. All others take their time, which a busy machine needs. Each still ends where it was set: a fake one would end in the
 * test, which cannot reach an object's requests. @param lengths - milliseconds @returns the time each was set to, in milliseconds.
 */
export function hastenTimers(times: number, lengths: readonly number[]): number[] {
	const asked: number[] = [];
	replaceTimers((setTimer) => (run, milliseconds, ...values) => {
		if (run === giveUp) return setTimer(run, milliseconds, ...values);
		asked.push(milliseconds);
		return setTimer(run, lengths.includes(milliseconds) ? milliseconds / times : milliseconds, ...values);
	});
	return asked;
}

export type SetTimer = (run: unknown, milliseconds: number, ...values: unknown[]) => unknown;

/** Sets the service's timers by what `set` makes of the real one, until the mock is restored. */
export function replaceTimers(set: (setTimer: SetTimer) => SetTimer) {
	const replacement = set(globalThis.setTimeout as SetTimer) as typeof setTimeout;
	return vi.spyOn(globalThis, "setTimeout").mockImplementation(replacement);
}

/** Waits until it is so, and no longer: vitest's own looks every 50 ms take a good part of a short test. */
export function until(isSo: () => unknown): Promise<unknown> {
	return vi.waitUntil(isSo, { interval: 2 });
}
