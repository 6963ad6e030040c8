import { describe, expect, test } from "vitest";
import { attemptsLeft, downloadsLeft, failedAttempt, failedRut } from "../../../src/domain/attempts.ts";
import { DAY_MS } from "../../../src/domain/durations.ts";
import { SECURITY_LOCK_MS } from "../../../src/domain/limits.ts";
import { codeWith, NOW } from "./code-in-state.ts";

const LOCKED = NOW + SECURITY_LOCK_MS;

describe("a failed attempt", () => {
	/** Failures and locks after it, and what else it sets. */
	const validation = (validationFailures: number, validationLocks: number, sets = {}) => {
		return { validationFailures, validationLocks, ...sets };
	};
	const claim = (claimFailures: number, claimLocks: number, sets = {}) => {
		return { claimFailures, claimLocks, ...sets };
	};
	const valid = { validatedAt: NOW - 1 };
	test.each([
		["validation", validation(0, 0), validation(1, 0)],
		["validation", validation(1, 0), validation(2, 0)],
		["validation", validation(2, 0), validation(0, 1, { validationLockedUntil: LOCKED })],
		["validation", validation(0, 1), validation(1, 1)],
		["validation", validation(2, 1), validation(0, 2, { validationLockedUntil: LOCKED })],
		["validation", validation(2, 2), validation(0, 3, { blockedAt: NOW })],
		["validation", validation(2, 2, valid), validation(0, 3, { validationBlockedAt: NOW })],
		["claim", { ...validation(2, 2), ...claim(0, 0) }, claim(1, 0)],
		["claim", claim(4, 0), claim(0, 1, { claimLockedUntil: LOCKED })],
		["claim", claim(4, 2, valid), claim(0, 3, { blockedAt: NOW })],
	] as const)("%s of a code with %j: %j", (kind, facts, changed) => {
		expect(failedAttempt(codeWith(facts), kind, NOW)).toEqual(changed);
	});

	/** [failures, the first one's time, end of the lock] of a RUT. */
	type Counted = [number, number, number | null];
	const rutOf = ([failures, firstFailedAt, lockedUntil]: Counted) => {
		return { failures, firstFailedAt, lockedUntil };
	};
	test.each<[Counted | null, Counted]>([
		[null, [1, NOW, null]],
		[
			[3, NOW - DAY_MS + 1, null],
			[4, NOW - DAY_MS + 1, null],
		],
		[
			[3, NOW - DAY_MS, 7],
			[1, NOW, 7],
		],
		[
			[5, NOW - 1, null],
			[0, NOW - 1, LOCKED],
		],
	])("of a RUT with %j: %j", (before, after) => {
		expect(failedRut(before && rutOf(before), NOW)).toEqual(rutOf(after));
	});
});

describe("attempts left", () => {
	const rut = (failures: number, lockedUntil: number | null = null, firstFailedAt = NOW - 1) => {
		return { failures, firstFailedAt, lockedUntil };
	};
	const free = (left: number) => ({ left, lockedUntil: null, closed: null });
	const locked = (lockedUntil: number) => ({ left: 0, lockedUntil, closed: null });
	const closed = (what: string) => ({ left: 0, lockedUntil: null, closed: what });
	test.each([
		["validation", {}, null, free(3)],
		["validation", { validationFailures: 2, claimFailures: 4 }, rut(1), free(1)],
		["validation", {}, rut(5), free(1)],
		["validation", {}, rut(5, null, NOW - DAY_MS), free(3)],
		[
			"validation",
			{ validationLockedUntil: NOW + 1, claimLockedUntil: LOCKED },
			rut(0, NOW + 2),
			locked(NOW + 2),
		],
		["validation", { validationLockedUntil: NOW }, rut(0, NOW), free(3)],
		["validation", { validationBlockedAt: 1 }, null, closed("request")],
		["validation", { blockedAt: 1, validationBlockedAt: 1 }, null, closed("code")],
		["claim", { validationFailures: 2, claimFailures: 3, validationBlockedAt: 1 }, null, free(2)],
		["claim", { validationLockedUntil: LOCKED }, null, free(5)],
		["claim", { claimLockedUntil: NOW + 1 }, null, locked(NOW + 1)],
		["claim", { blockedAt: 1 }, null, closed("code")],
	] as const)("for a %s of a code with %j", (kind, facts, counted, left) => {
		expect(attemptsLeft(codeWith(facts), kind, counted, NOW)).toEqual(left);
	});

	test("for a download: five", () => {
		const none = closed("download");
		expect([undefined, 4, 5, 6].map(downloadsLeft)).toEqual([free(5), free(1), none, none]);
	});
});
