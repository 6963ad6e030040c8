import { describe, expect, test } from "vitest";
import type { CodeFacts } from "../../../src/domain/code-facts.ts";
import { expiresAt } from "../../../src/domain/code-facts.ts";
import { DAY_MS } from "../../../src/domain/durations.ts";
import { CODE_WINDOW_MS } from "../../../src/domain/limits.ts";
import {
	BUSY_CODES,
	codeStatus,
	FACET_OF_LIST_STATUS,
	FACETS,
	LIST_STATUSES,
	listStatus,
	processing,
} from "../../../src/domain/status-tables.ts";
import { codeWith, NOW } from "./code-in-state.ts";

const PAST = NOW - DAY_MS;
const FUTURE = NOW + DAY_MS;

/** Every value of every fact that either table looks at, time edges included. */
const AXES = {
	cancelledAt: [null, PAST],
	certificate: [null, PAST, NOW, NOW + 1, FUTURE],
	blockedAt: [null, PAST],
	validationLockedUntil: [null, PAST, NOW, NOW + 1],
	claimLockedUntil: [null, NOW, NOW + 1],
	onboardingUntil: [null, NOW, NOW + 1],
	processingUntil: [null, NOW, NOW + 1],
	validatedAt: [null, PAST],
	createdAt: [NOW - CODE_WINDOW_MS - 1, NOW - CODE_WINDOW_MS, NOW - CODE_WINDOW_MS + 1, NOW],
} as const;

function* everyCombination(): Generator<CodeFacts> {
	let combinations: Partial<CodeFacts>[] = [{}];
	for (const [fact, values] of Object.entries(AXES))
		combinations = combinations.flatMap((known) =>
			values.map((value) =>
				fact === "certificate"
					? { ...known, issuedAt: value === null ? null : PAST, certificateNotAfter: value }
					: { ...known, [fact]: value },
			),
		);
	for (const facts of combinations) yield codeWith(facts);
}

/** Decision "LOCKED in GET /status": the lock of the call that the code waits for. */
function isLocked({ blockedAt, validatedAt, validationLockedUntil, claimLockedUntil }: CodeFacts): boolean {
	return blockedAt !== null || ((validatedAt === null ? validationLockedUntil : claimLockedUntil) ?? 0) > NOW;
}

/** §3.1, written down once more, each rank as the document words it. */
const RANKS: [string, (facts: CodeFacts) => boolean][] = [
	["CANCELLED", ({ cancelledAt }) => cancelledAt !== null],
	["EXPIRED", ({ issuedAt, certificateNotAfter }) => issuedAt !== null && certificateNotAfter! <= NOW],
	["EMITTED", ({ issuedAt }) => issuedAt !== null],
	["LOCKED", isLocked],
	["IN_ONBOARDING", ({ onboardingUntil }) => (onboardingUntil ?? 0) > NOW],
	["VALIDATED", ({ validatedAt }) => validatedAt !== null],
	["ACTIVE", () => true],
];

const LIST_RANKS: [string, (facts: CodeFacts) => boolean][] = [
	["anulado", ({ cancelledAt }) => cancelledAt !== null],
	["emitido", ({ issuedAt }) => issuedAt !== null],
	["bloqueado", isLocked],
	[
		"en_proceso",
		({ onboardingUntil, processingUntil }) => (onboardingUntil ?? 0) > NOW || (processingUntil ?? 0) > NOW,
	],
	["validado", ({ validatedAt }) => validatedAt !== null],
	["expirado", ({ createdAt }) => NOW >= createdAt + 14 * DAY_MS],
	["sin_utilizar", () => true],
];

/** @param read - how the service reads it. */
function expectFirstThatApplies(ranks: typeof RANKS, read: (facts: CodeFacts, now: number) => string): void {
	const seen = new Set<string>();
	for (const facts of everyCombination()) {
		const [expected] = ranks.find(([, applies]) => applies(facts))!;
		const status = read(facts, NOW);
		if (status !== expected) expect({ facts, status }).toEqual({ facts, status: expected });
		seen.add(status);
	}
	expect([...seen].sort()).toEqual(ranks.map(([status]) => status).sort());
}

test("§3.1 GET /status: every combination of stored times reads as the first rank that applies, no facts as NOT_FOUND", {
	tags: ["status-precedence"],
}, () => {
	expectFirstThatApplies(RANKS, codeStatus);
	expect(codeStatus(null, NOW)).toBe("NOT_FOUND");
});

describe('§3.2 status in GET /pcodes, with decision "list statuses, first that applies"', {
	tags: ["list-expirado"],
}, () => {
	test(
		"every combination of stored times reads as the first rank that applies",
		{ tags: ["list-status-precedence"] },
		() => expectFirstThatApplies(LIST_RANKS, listStatus),
	);

	test('decision "processing": 1 while the lease runs, 0 from its very end on', {
		tags: ["list-processing"],
	}, () => {
		expect(processing(codeWith(), NOW)).toBe(0);
		expect(processing(codeWith({ processingUntil: NOW + 1 }), NOW)).toBe(1);
		expect(processing(codeWith({ processingUntil: NOW }), NOW)).toBe(0);
	});

	test('decision "14-day window": expires_at is created_at and 14 days', () => {
		expect(expiresAt(Date.UTC(2026, 1, 20))).toBe(Date.UTC(2026, 2, 6));
	});
});

test("busy codes of other facets enter a list status, or those of its own leave it, never both", () => {
	const facetOf = ({ cancelledAt, issuedAt, blockedAt, validatedAt }: CodeFacts) =>
		FACETS[[cancelledAt, issuedAt, blockedAt, validatedAt].findIndex((at) => at !== null)] ?? "unused";
	const seen = new Map(LIST_STATUSES.map((status) => [status, new Set<string>()]));
	for (const facts of everyCombination()) {
		const status = listStatus(facts, NOW);
		const facet = facetOf(facts);
		if (FACET_OF_LIST_STATUS[status] === facet) continue;
		seen.get(status)!.add("enter");
		for (const left of LIST_STATUSES) if (FACET_OF_LIST_STATUS[left] === facet) seen.get(left)!.add("leave");
	}
	const expected = LIST_STATUSES.map((status) => [status, [BUSY_CODES[status] ?? []].flat()]);
	expect([...seen].map(([status, changes]) => [status, [...changes]])).toEqual(expected);
});
