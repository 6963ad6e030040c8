import { expect, test } from "vitest";
import { hasEnded, keysProblem } from "../../../src/domain/decide-keys.ts";
import { type KeyScope, permits } from "../../../src/domain/key-scopes.ts";
import { KEYS_MAX } from "../../../src/domain/limits.ts";
import { isWithinOneOf } from "../../../src/http/address-ranges.ts";

const NOW = 1_000;
let made = 0;
const key = (
	scopes: KeyScope[],
	more: { expiresAt?: number; revokedAt?: number; allowedCidrs?: readonly string[] } = {},
) => ({ id: `key_${++made}`, scopes, allowedCidrs: null, expiresAt: null, revokedAt: null, ...more });
const manager = key(["manage"]);
const by = (id: string | null) => ({ by: id, now: NOW, isWithinOneOf });

test("the last key of manage without an end stays, unless ops take it", { tags: ["key-last-manage"] }, () => {
	for (const left of [[], [key(["read"])], [key(["manage"], { expiresAt: 9_999 })]]) {
		const after = [...left, { ...manager, revokedAt: 2_000 }];
		expect(keysProblem([manager, ...left], after, by(manager.id))).toBe("last_manage_key");
		expect(keysProblem([manager, ...left], after, by(null))).toBeNull();
	}
	const second = key(["manage"]);
	expect(keysProblem([manager, second], [manager], by(second.id))).toBeNull();
	expect(keysProblem([key(["read"])], [], by(manager.id))).toBeNull();
});

test("at most so many keys are in force; those that have ended do not count", {
	tags: ["key-several"],
}, () => {
	const full = Array.from({ length: KEYS_MAX }, () => key(["manage"]));
	expect(keysProblem(full, [...full, key(["read"])], by(null))).toBe("too_many_keys");
	const ended = [key(["read"], { revokedAt: NOW }), key(["read"], { expiresAt: NOW })];
	const before = [...full.slice(2), ...ended];
	expect(keysProblem(before, [...before, key(["read"]), key(["read"])], by(null))).toBeNull();
});

test.for([
	["a scope that it lacks", key(["read", "codes"]), true],
	["read, which manage includes", key(["read"], { expiresAt: 9, allowedCidrs: ["10.1.2.0/24"] }), false],
	["no end", key(["manage"], { allowedCidrs: ["10.1.0.0/16"] }), true],
	["a later end", key(["manage"], { expiresAt: 9_001, allowedCidrs: ["10.1.0.0/16"] }), true],
	["its own rights", key(["manage"], { expiresAt: 9_000, allowedCidrs: ["10.1.0.0/16"] }), false],
	["any address", key(["manage"], { expiresAt: 9_000 }), true],
	["one range more", key(["manage"], { expiresAt: 9_000, allowedCidrs: ["10.1.0.0/16", "::1/128"] }), true],
	["a wider range", key(["manage"], { expiresAt: 9_000, allowedCidrs: ["10.0.0.0/8"] }), true],
	["an IPv6 range within", key(["read"], { expiresAt: 9_000, allowedCidrs: ["2001:db8:1::/48"] }), false],
] as const)("a key that makes another with %s", { tags: ["key-wider"] }, ([, wanted, isRefused]) => {
	const maker = key(["manage"], {
		expiresAt: 9_999,
		// Rotated: it ends sooner.
		revokedAt: 9_000,
		allowedCidrs: ["10.1.0.0/16", "2001:db8::/32"],
	});
	expect(keysProblem([manager, maker], [manager, maker, wanted], by(maker.id))).toBe(
		isRefused ? "wider_key" : null,
	);
	expect(keysProblem([manager, maker], [manager, maker, wanted], by(null))).toBeNull();
	// It has ended meanwhile.
	expect(keysProblem([manager], [manager, wanted], by(maker.id))).toBe("wider_key");
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
