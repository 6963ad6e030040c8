import { expect, test } from "vitest";
import type { CodeFacts } from "../../../src/domain/code-facts.ts";
import { decideErasure, isHolderErased } from "../../../src/domain/decide-erasure.ts";
import { DAY_MS } from "../../../src/domain/durations.ts";
import { codeWith, HOLDER, NOW, STATES } from "./code-in-state.ts";

const LIFE = 90 * DAY_MS;
const validatedAt = NOW - LIFE;
const lapsed = { validatedAt, boundRut: HOLDER };
const issued = { ...lapsed, issuedAt: validatedAt, certificateNotAfter: NOW };
const endedLongAgo = { ...issued, certificateNotAfter: NOW - 7 * 366 * DAY_MS };
const LAPSES = { kind: "erase", set: { boundRut: null, blockedAt: NOW }, why: "validation_lapsed" };
const ERASES = { kind: "erase", set: { boundRut: null }, why: "retention" };
const LOCKED = { validationLockedUntil: NOW + 1, claimLockedUntil: NOW + 1 } satisfies Partial<CodeFacts>;
const KEPT = { kind: "keep" };

test.each([
	["a validation of 90 days", lapsed, LAPSES],
	["a validation a millisecond younger", { ...lapsed, validatedAt: validatedAt + 1 }, KEPT],
	["a validation under locks", { ...lapsed, ...LOCKED }, LAPSES],
	["a code nobody has validated", { createdAt: 0 }, KEPT],
	["a holder of a code blocked for less than 30 days", { ...lapsed, blockedAt: NOW - 30 * DAY_MS + 1 }, KEPT],
	["a holder of a code blocked for 30 days", { ...lapsed, blockedAt: NOW - 30 * DAY_MS }, ERASES],
	["a holder of a code cancelled for 30 days", { ...lapsed, cancelledAt: NOW - 30 * DAY_MS }, ERASES],
	["a holder whose certificate runs", issued, KEPT],
	["a holder whose certificate ended long ago", endedLongAgo, ERASES],
	["a holder that was erased before", { validatedAt, blockedAt: 0 }, KEPT],
])("%s", (_, facts, decision) => {
	expect(decideErasure(codeWith(facts), NOW)).toEqual(decision);
});

const asked = { kind: "erase", set: { boundRut: null }, why: "holder_asked" };

test.each([
	["a validated code: it closes for good", lapsed, { ...asked, set: { boundRut: null, blockedAt: NOW } }],
	["a code that was cancelled a moment ago: objections stay", { ...lapsed, cancelledAt: NOW }, KEPT],
	["a code that was blocked a moment ago: objections stay", { ...lapsed, blockedAt: NOW }, KEPT],
	["an issued code: its register stays", issued, KEPT],
	["an issued code past its years", endedLongAgo, ERASES],
	["a code nobody has validated", { createdAt: 0 }, KEPT],
])("asked by the holder, %s", (_, facts, decision) => {
	expect(decideErasure(codeWith(facts), NOW, "holder")).toEqual(decision);
});

test("a code has lost its holder when it was validated, not issued, and is bound to no RUT", () => {
	expect(isHolderErased(codeWith({ validatedAt, blockedAt: NOW }))).toBe(true);
	for (const state of [
		"unused, fresh",
		"validated",
		"blocked, unused",
		"blocked, validated",
		"emitted",
	] as const)
		expect(isHolderErased(STATES[state].facts)).toBe(false);
	expect(isHolderErased(codeWith({ validatedAt, issuedAt: NOW }))).toBe(false);
});

test.each([
	["a code that was cancelled a moment ago", { ...lapsed, cancelledAt: NOW }, asked],
	["a code that was blocked a moment ago", { ...lapsed, blockedAt: NOW }, asked],
	["an issued code", issued, KEPT],
])("asked by ops, %s", (_, facts, decision) => {
	expect(decideErasure(codeWith(facts), NOW, "ops")).toEqual(decision);
});
