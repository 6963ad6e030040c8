import { expect, test } from "vitest";
import { DAY_MS } from "../../../src/domain/durations.ts";
import {
	CLOSED_HOLDER_MS,
	keepingOf,
	keptUntil,
	type RetainedFacts,
	registerUntil,
} from "../../../src/domain/retention.ts";

const OPEN: RetainedFacts = { issuedAt: null, certificateNotAfter: null, cancelledAt: null, blockedAt: null };
const recorded = Date.parse("2026-01-10T12:00:00Z");

test("a holder whose certificate may still be claimed is kept, for as long as its validation lives", () => {
	expect(keptUntil(OPEN)).toBeNull();
});

test("a code that was cancelled or blocked before it issued keeps its holder 30 days more", () => {
	expect(CLOSED_HOLDER_MS).toBe(30 * DAY_MS);
	const closed = recorded + 5 * DAY_MS;
	expect(keptUntil({ ...OPEN, cancelledAt: closed })).toBe(closed + 30 * DAY_MS);
	expect(keptUntil({ ...OPEN, blockedAt: closed, cancelledAt: closed + DAY_MS })).toBe(closed + 30 * DAY_MS);
});

test("Ley 19.799 art. 12 b): the holder of a certificate is kept six years from its expiry, revoked or not", () => {
	const issued = {
		...OPEN,
		issuedAt: Date.parse("2026-02-28T10:00:00Z"),
		certificateNotAfter: Date.parse("2027-02-28T10:00:00Z"),
	};
	expect(keptUntil(issued)).toBe(Date.parse("2033-02-28T10:00:00Z"));
	expect(keptUntil({ ...issued, cancelledAt: recorded })).toBe(Date.parse("2033-02-28T10:00:00Z"));
	expect(registerUntil(Date.parse("2028-02-29T00:00:00Z"))).toBe(Date.parse("2034-03-01T00:00:00Z"));
});

test("a validated code's holder is kept for the claim, for objections or for the register", () => {
	const facts = { ...OPEN, validatedAt: recorded };
	expect(keepingOf(facts)).toEqual({ why: "claim", until: recorded + 90 * DAY_MS });
	expect(keepingOf({ ...facts, cancelledAt: recorded })).toEqual({
		why: "objection",
		until: recorded + 30 * DAY_MS,
	});
	expect(keepingOf({ ...facts, issuedAt: recorded }).why).toBe("register");
});
