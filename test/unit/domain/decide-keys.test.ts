import { expect, test } from "vitest";
import { hasEnded, keysProblem } from "../../../src/domain/decide-keys.ts";
import { type KeyScope, permits } from "../../../src/domain/key-scopes.ts";
import { KEYS_MAX } from "../../../src/domain/limits.ts";

const NOW = 1_000;
const key = (scopes: KeyScope[], ends: { expiresAt?: number; revokedAt?: number } = {}) => ({
	id: "key",
	scopes,
	expiresAt: null,
	revokedAt: null,
	...ends,
});
const manager = key(["manage"]);
const by = (byPartner: boolean) => ({ byPartner, now: NOW });

test("the last key of manage without an end stays, unless ops take it", { tags: ["key-last-manage"] }, () => {
	for (const left of [[], [key(["read"])], [key(["manage"], { expiresAt: 9_999 })]]) {
		const after = [...left, key(["manage"], { revokedAt: 2_000 })];
		expect(keysProblem([manager, ...left], after, by(true))).toBe("last_manage_key");
		expect(keysProblem([manager, ...left], after, by(false))).toBeNull();
	}
	expect(keysProblem([manager, manager], [manager], by(true))).toBeNull();
	expect(keysProblem([key(["read"])], [], by(true))).toBeNull();
});

test("at most so many keys are in force; those that have ended do not count", () => {
	const full = Array.from({ length: KEYS_MAX }, () => manager);
	expect(keysProblem(full, [...full, manager], by(false))).toBe("too_many_keys");
	const ended = [key(["read"], { revokedAt: NOW }), key(["read"], { expiresAt: NOW })];
	const before = [...full.slice(2), ...ended];
	expect(keysProblem(before, [...before, manager, manager], by(false))).toBeNull();
});

test("a key ends at its end, not before", () => {
	expect(hasEnded({ expiresAt: NOW, revokedAt: null }, NOW)).toBe(true);
	expect(hasEnded({ expiresAt: NOW + 1, revokedAt: null }, NOW)).toBe(false);
	expect(hasEnded({ expiresAt: null, revokedAt: NOW }, NOW)).toBe(true);
	expect(hasEnded({ expiresAt: NOW + 1, revokedAt: NOW + 1 }, NOW)).toBe(false);
});

test("a call that reads is open to read and to manage; one that changes something to its own scope alone", () => {
	const open = (scope: KeyScope, reads: boolean) =>
		(["codes", "redeem", "read", "manage"] as const).filter((one) => permits([one], { scope, reads }));
	expect(open("codes", false)).toEqual(["codes"]);
	expect(open("codes", true)).toEqual(["codes", "read", "manage"]);
	expect(open("read", true)).toEqual(["read", "manage"]);
	expect(open("manage", false)).toEqual(["manage"]);
});
