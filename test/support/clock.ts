import { vi } from "vitest";

/* Time as the Worker and the objects see it. It only ever moves forward, because alarms keep the real clock. */

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

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
