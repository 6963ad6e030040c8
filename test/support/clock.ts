import { vi } from "vitest";

/* Time as the Worker and the objects see it. It only ever moves forward, because alarms keep the real clock. */

/** Stops the clock at the present. */
export function stopClock(): void {
	vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
}

export function passTime(milliseconds: number): void {
	vi.setSystemTime(Date.now() + milliseconds);
}

export function startClock(): void {
	vi.useRealTimers();
}

/**
 * Shortens timers from now on by this factor. Each still ends where it was set: a fake one would end in the test, which
 * cannot reach an object's requests. @returns the time each was set to, in milliseconds.
 */
export function hastenTimers(times: number): number[] {
	const setTimer = globalThis.setTimeout;
	const asked: number[] = [];
	vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, milliseconds: number) => {
		asked.push(milliseconds);
		return setTimer(run, milliseconds / times);
	}) as typeof setTimeout);
	return asked;
}

/** Waits until it is so, and no longer: vitest's own looks every 50 ms take a good part of a short test. */
export function until(isSo: () => unknown): Promise<unknown> {
	return vi.waitUntil(isSo, { interval: 2 });
}
