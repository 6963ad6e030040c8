import { expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../src/domain/durations.ts";
import { VALIDATION_LIFE_MS } from "../../../src/domain/limits.ts";
import { type NextStep, nextStep } from "../../../src/domain/next-step.ts";
import { codeWith, NOW } from "./code-in-state.ts";

const END = NOW + 365 * DAY_MS;
const validatedAt = NOW - DAY_MS;
const issued = { validatedAt, issuedAt: NOW - 1, certificateNotAfter: END };
const lock = NOW + MINUTE_MS;
const validate = (until: number, left = 3): NextStep => ({ kind: "validate", until, left });
const claim = (left: number): NextStep => ({ kind: "claim", until: validatedAt + VALIDATION_LIFE_MS, left });

test.each<[string, Parameters<typeof codeWith>[0], NextStep]>([
	["a fresh code", {}, validate(NOW + 13 * DAY_MS)],
	["after two failures", { validationFailures: 2 }, validate(NOW + 13 * DAY_MS, 1)],
	["in the last moment of its window", { createdAt: NOW - 14 * DAY_MS + 1 }, validate(NOW + 1)],
	["past its window", { createdAt: NOW - 14 * DAY_MS }, { kind: "window_over" }],
	[
		"in the widget, past its window",
		{ createdAt: 0, onboardingUntil: lock },
		{ kind: "onboarding", until: lock },
	],
	["while a step runs", { processingUntil: lock, onboardingUntil: lock }, { kind: "working" }],
	["under a lock", { validationLockedUntil: lock }, { kind: "validation_locked", until: lock }],
	["under a claim lock", { validatedAt, claimLockedUntil: lock }, { kind: "claim_locked", until: lock }],
	[
		"validated, with certificate_request locked or closed",
		{ validatedAt, validationLockedUntil: lock, validationBlockedAt: NOW },
		claim(5),
	],
	["after a lock", { validatedAt, claimLockedUntil: NOW, claimFailures: 4 }, claim(1)],
	["blocked", { blockedAt: 0, validatedAt, claimLockedUntil: lock }, { kind: "blocked" }],
	["issued", { ...issued, blockedAt: 0 }, { kind: "issued", until: END }],
	["issued and over", { ...issued, certificateNotAfter: NOW }, { kind: "certificate_expired" }],
	["cancelled", { ...issued, cancelledAt: 0 }, { kind: "cancelled" }],
])("%s", (_, facts, step) => {
	expect(nextStep(codeWith(facts), null, NOW)).toEqual(step);
});

test("a revoked certificate comes before its end", () => {
	const certificate = { notAfter: NOW, revokedAt: NOW };
	expect(nextStep(codeWith(issued), certificate, NOW)).toEqual({ kind: "revoked" });
});
