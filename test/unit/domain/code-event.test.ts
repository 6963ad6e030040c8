import { expect, test } from "vitest";
import { type ChangedFacts, eventOf } from "../../../src/domain/code-event.ts";
import { MINUTE_MS } from "../../../src/domain/durations.ts";
import { codeWith, NOW } from "./code-in-state.ts";

const LOCK = NOW + 30 * MINUTE_MS;
const validated = { validatedAt: NOW - MINUTE_MS };
const emitted = { ...validated, issuedAt: NOW - MINUTE_MS, certificateSerial: "4F0C" };
const VALIDATED = { event: "pcode.validated" };
const lockedBy = (reason: string) => ({ event: "pcode.locked", reason, lockedUntil: LOCK, permanent: false });
const closedBy = (reason: string | null) => ({ ...lockedBy(""), reason, lockedUntil: null, permanent: true });
const cancelled = (serial: string | null) => ({ event: "pcode.cancelled", serial });
const [VALIDATION, CLAIM] = ["validation_attempts", "claim_attempts"] as const;

test.each([
	["a validation", {}, { validatedAt: NOW, validationLockedUntil: null, claimLockedUntil: null }, VALIDATED],
	["a validation anew", validated, { validatedAt: NOW }, VALIDATED],
	["an emission with its validation", {}, { validatedAt: NOW, issuedAt: NOW }, null],
	["a claim", validated, { issuedAt: NOW, claimFailures: 0 }, null],
	["a failed attempt", {}, { validationFailures: 1, validationLocks: 0, validationLockedUntil: null }, null],
	["a failed attempt after a lock", { claimLockedUntil: NOW - 1 }, { claimLockedUntil: NOW - 1 }, null],
	[
		"the lock of a validation",
		{ claimLocks: 1 },
		{ validationLocks: 1, validationLockedUntil: LOCK },
		lockedBy(VALIDATION),
	],
	[
		"a second lock of a validation",
		{ validationLocks: 1, validationLockedUntil: NOW - 1 },
		{ validationLocks: 2, validationLockedUntil: LOCK },
		lockedBy(VALIDATION),
	],
	[
		"the lock of a claim",
		{ ...validated, validationLocks: 1 },
		{ validationLocks: 1, claimLocks: 1, claimLockedUntil: LOCK },
		lockedBy(CLAIM),
	],
	[
		"the permanent lock of a claim",
		{ ...validated, claimLocks: 2, claimLockedUntil: NOW - 1 },
		{ claimLocks: 3, claimLockedUntil: NOW - 1, blockedAt: NOW },
		closedBy(CLAIM),
	],
	[
		"the lock of a claim while certificate_request is locked",
		{ ...validated, validationLocks: 1, validationLockedUntil: LOCK },
		{ claimLocks: 1, claimLockedUntil: LOCK },
		lockedBy(CLAIM),
	],
	[
		"the permanent lock of a validated code's validations",
		{ ...validated, validationLocks: 2 },
		{ validationLocks: 3, validationBlockedAt: NOW },
		closedBy(VALIDATION),
	],
	["a block by ops", { validationLocks: 1, claimLocks: 1 }, { blockedAt: NOW }, closedBy(null)],
	[
		"a validation that lapses",
		{ ...validated, boundRut: "index", claimLocks: 1 },
		{ blockedAt: NOW, boundRut: null },
		closedBy(null),
	],
	["an erasure", { ...validated, boundRut: "index", blockedAt: NOW - 1 }, { boundRut: null }, null],
	[
		"a block by ops that repeats the counts",
		{ validationLocks: 1, claimLocks: 1 },
		{ blockedAt: NOW, validationLocks: 1, claimLocks: 1 },
		closedBy(null),
	],
	["a change of a blocked code", { blockedAt: NOW - 1 }, { blockedAt: NOW - 1, claimFailures: 1 }, null],
	[
		"an unblock",
		{ blockedAt: NOW - 1, claimLockedUntil: LOCK },
		{ blockedAt: null, claimLockedUntil: null },
		null,
	],
	["a cancellation", {}, { cancelledAt: NOW }, cancelled(null)],
	["a cancellation of an issued code", emitted, { cancelledAt: NOW }, cancelled("4F0C")],
	[
		"a cancellation together with the issue that a restored D1 had forgotten",
		validated,
		{ cancelledAt: NOW, issuedAt: NOW - 1, certificateSerial: "4F0C" },
		cancelled("4F0C"),
	],
	["a change of a cancelled code", { cancelledAt: NOW - 1 }, { cancelledAt: NOW }, null],
	["a change that cancels nothing", {}, { cancelledAt: null }, null],
	["no change at all", {}, {}, null],
] as const)("§3.3 the event of %s", (_, before, set: ChangedFacts, event) => {
	expect(eventOf(codeWith(before), set)).toEqual(event);
});
