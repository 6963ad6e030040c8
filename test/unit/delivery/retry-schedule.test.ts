import { expect, test } from "vitest";
import {
	eraseTime,
	MAX_ATTEMPTS,
	nextAttempt,
	ROUND_MS,
	readRetryAfter,
} from "../../../src/delivery/retry-schedule.ts";
import { HOUR_MS } from "../../../src/domain/durations.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

test("Standard Webhooks schedule: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, and the last at 72 h", () => {
	const waits: string[] = [];
	let at = NOW;
	for (let attempts = 1; ; attempts++) {
		const next = nextAttempt({ attempts, startedAt: NOW }, at, null);
		if (next === null) break;
		waits.push(`${(next - at) / 1000}`);
		at = next;
	}
	expect(waits).toEqual(["5", "300", "1800", "7200", "18000", "36000", "50400", "72000", "73495"]);
	expect(at).toBe(NOW + ROUND_MS);
	expect(waits).toHaveLength(MAX_ATTEMPTS - 1);
});

test("Standard Webhooks Retry-After: never tried earlier than asked, and ended when asked beyond 72 h", () => {
	const round = { attempts: 1, startedAt: NOW };
	expect(nextAttempt(round, NOW, HOUR_MS)).toBe(NOW + HOUR_MS);
	expect(nextAttempt(round, NOW, 1_000)).toBe(NOW + 5_000);
	expect(nextAttempt(round, NOW, 72 * HOUR_MS)).toBe(NOW + 72 * HOUR_MS);
	expect(nextAttempt(round, NOW, 72 * HOUR_MS + 1)).toBeNull();
});

test("a payload is kept until seven days after the round, even when the round ends early", () => {
	expect(eraseTime(NOW, NOW + HOUR_MS)).toBe(NOW + 72 * HOUR_MS + 7 * 24 * HOUR_MS);
	expect(eraseTime(NOW, NOW + 80 * HOUR_MS)).toBe(NOW + 80 * HOUR_MS + 7 * 24 * HOUR_MS);
});

test.each([
	["120", 120_000],
	["0", 0],
	[" 7 ", 7_000],
	["Sat, 21 Nov 2026 13:00:00 GMT", HOUR_MS],
	["Sat, 21 Nov 2026 11:00:00 GMT", null],
	["soon", null],
	["-5", null],
	["1e3", null],
	[null, null],
] as const)("Retry-After %s is read as %s ms", (header, expected) => {
	expect(readRetryAfter(header, NOW)).toBe(expected);
});
