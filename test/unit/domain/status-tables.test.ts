import { describe, expect, test } from "vitest";
import type { CodeFacts } from "../../../src/domain/code-facts.ts";
import { expiresAt } from "../../../src/domain/code-facts.ts";
import { CODE_WINDOW_MS } from "../../../src/domain/limits.ts";
import {
	BUSY_CODES,
	CODE_STATUSES,
	codeStatus,
	FACET_OF_LIST_STATUS,
	FACETS,
	LIST_STATUSES,
	listStatus,
	processing,
} from "../../../src/domain/status-tables.ts";
import { codeWith, DAY_MS, NOW, STATES, type State } from "./code-in-state.ts";

const PAST = NOW - DAY_MS;
const FUTURE = NOW + DAY_MS;

/** Every value of every fact that either table looks at, time edges included. */
const AXES = {
	cancelledAt: [null, PAST],
	certificate: [null, PAST, NOW, NOW + 1, FUTURE],
	blockedAt: [null, PAST],
	lockedUntil: [null, PAST, NOW, NOW + 1],
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

/** §3.1, written down once more, each rank as the document words it. */
const RANKS: [string, (facts: CodeFacts) => boolean][] = [
	["CANCELLED", ({ cancelledAt }) => cancelledAt !== null],
	["EXPIRED", ({ issuedAt, certificateNotAfter }) => issuedAt !== null && certificateNotAfter! <= NOW],
	["EMITTED", ({ issuedAt }) => issuedAt !== null],
	["LOCKED", ({ blockedAt, lockedUntil }) => blockedAt !== null || (lockedUntil ?? 0) > NOW],
	["IN_ONBOARDING", ({ onboardingUntil }) => (onboardingUntil ?? 0) > NOW],
	["VALIDATED", ({ validatedAt }) => validatedAt !== null],
	["ACTIVE", () => true],
];

const LIST_RANKS: [string, (facts: CodeFacts) => boolean][] = [
	["anulado", ({ cancelledAt }) => cancelledAt !== null],
	["emitido", ({ issuedAt }) => issuedAt !== null],
	["bloqueado", ({ blockedAt, lockedUntil }) => blockedAt !== null || (lockedUntil ?? 0) > NOW],
	[
		"en_proceso",
		({ onboardingUntil, processingUntil }) => (onboardingUntil ?? 0) > NOW || (processingUntil ?? 0) > NOW,
	],
	["validado", ({ validatedAt }) => validatedAt !== null],
	["expirado", ({ createdAt }) => NOW >= createdAt + 14 * DAY_MS],
	["sin_utilizar", () => true],
];

describe("§3.1 status of a purchase code in GET /status: the first that applies wins", () => {
	test("§3.1 names eight values in precedence order", () => {
		expect(CODE_STATUSES).toEqual([...RANKS.map(([status]) => status), "NOT_FOUND"]);
	});

	test("§3.1 every combination of stored times reads as the first rank that applies", {
		tags: ["status-precedence"],
	}, () => {
		const wins = new Map<string, number>();
		for (const facts of everyCombination()) {
			const [expected] = RANKS.find(([, applies]) => applies(facts))!;
			const status = codeStatus(facts, NOW);
			if (status !== expected) expect({ facts, status }).toEqual({ facts, status: expected });
			wins.set(status, (wins.get(status) ?? 0) + 1);
		}
		expect([...wins.keys()].sort()).toEqual(RANKS.map(([status]) => status).sort());
	});

	test.each(RANKS.map(([status], rank) => [rank + 1, status] as const))(
		"§3.1 rank %i %s beats every later one",
		(rank, status) => {
			const beaten = new Set<string>();
			for (const facts of everyCombination()) {
				const applying = RANKS.filter(([, applies]) => applies(facts)).map(([name]) => name);
				if (applying[0] !== status) continue;
				expect(codeStatus(facts, NOW)).toBe(status);
				for (const later of applying.slice(1)) beaten.add(later);
			}
			const later = RANKS.slice(rank).map(([name]) => name);
			expect([...beaten].sort()).toEqual(later.sort());
		},
	);

	test("§3.1 rank 8: no facts read NOT_FOUND", () => {
		expect(codeStatus(null, NOW)).toBe("NOT_FOUND");
	});

	test('decision "GET /status of an unused code past its window": ACTIVE', () => {
		expect(codeStatus(codeWith({ createdAt: NOW - 10 * CODE_WINDOW_MS }), NOW)).toBe("ACTIVE");
	});

	test.each([
		["EXPIRED from the very end of the certificate", { issuedAt: PAST, certificateNotAfter: NOW }, "EXPIRED"],
		["EMITTED a millisecond before it", { issuedAt: PAST, certificateNotAfter: NOW + 1 }, "EMITTED"],
		["LOCKED a millisecond before the lock ends", { lockedUntil: NOW + 1 }, "LOCKED"],
		["no longer LOCKED at its very end", { lockedUntil: NOW }, "ACTIVE"],
		["IN_ONBOARDING a millisecond before the session ends", { onboardingUntil: NOW + 1 }, "IN_ONBOARDING"],
		["no longer IN_ONBOARDING at its very end", { onboardingUntil: NOW }, "ACTIVE"],
		["a running validation alone still reads ACTIVE", { processingUntil: NOW + 1 }, "ACTIVE"],
	])("time edge: %s", (_what, facts, status) => {
		expect(codeStatus(codeWith(facts), NOW)).toBe(status);
	});
});

describe('§3.2 status in GET /pcodes, with decision "list statuses, first that applies"', {
	tags: ["list-expirado"],
}, () => {
	test("the seven values in precedence order", { tags: ["list-status-precedence"] }, () => {
		expect(LIST_STATUSES).toEqual(LIST_RANKS.map(([status]) => status));
	});

	test("every combination of stored times reads as the first rank that applies", () => {
		const wins = new Set<string>();
		for (const facts of everyCombination()) {
			const [expected] = LIST_RANKS.find(([, applies]) => applies(facts))!;
			const status = listStatus(facts, NOW);
			if (status !== expected) expect({ facts, status }).toEqual({ facts, status: expected });
			wins.add(status);
		}
		expect([...wins].sort()).toEqual(LIST_RANKS.map(([status]) => status).sort());
	});

	test.each(LIST_RANKS.map(([status], rank) => [rank + 1, status] as const))(
		"rank %i %s beats every later one",
		(rank, status) => {
			const beaten = new Set<string>();
			for (const facts of everyCombination()) {
				const applying = LIST_RANKS.filter(([, applies]) => applies(facts)).map(([name]) => name);
				if (applying[0] !== status) continue;
				expect(listStatus(facts, NOW)).toBe(status);
				for (const later of applying.slice(1)) beaten.add(later);
			}
			const later = LIST_RANKS.slice(rank).map(([name]) => name);
			expect([...beaten].sort()).toEqual(later.sort());
		},
	);

	test.each([
		["expirado at the very end of the fourteenth day", { createdAt: NOW - CODE_WINDOW_MS }, "expirado"],
		["sin_utilizar a millisecond before it", { createdAt: NOW - CODE_WINDOW_MS + 1 }, "sin_utilizar"],
		["en_proceso a millisecond before the lease ends", { processingUntil: NOW + 1 }, "en_proceso"],
		["no longer en_proceso at its very end", { processingUntil: NOW }, "sin_utilizar"],
		["bloqueado a millisecond before the lock ends", { lockedUntil: NOW + 1 }, "bloqueado"],
		["no longer bloqueado at its very end", { lockedUntil: NOW }, "sin_utilizar"],
		[
			"emitido still, when the certificate is long expired",
			{ issuedAt: PAST, certificateNotAfter: PAST },
			"emitido",
		],
		[
			"validado still, when the window has lapsed (it binds only a code nobody has validated)",
			{ createdAt: NOW - CODE_WINDOW_MS, validatedAt: PAST },
			"validado",
		],
	])("time edge: %s", (_what, facts, status) => {
		expect(listStatus(codeWith(facts), NOW)).toBe(status);
	});

	test('decision "processing": 1 while the lease runs, 0 from its very end on', () => {
		expect(processing(codeWith(), NOW)).toBe(0);
		expect(processing(codeWith({ processingUntil: NOW + 1 }), NOW)).toBe(1);
		expect(processing(codeWith({ processingUntil: NOW }), NOW)).toBe(0);
	});

	test('decision "14-day window": expires_at is created_at and 14 days', () => {
		expect(expiresAt(Date.UTC(2026, 1, 20))).toBe(Date.UTC(2026, 2, 6));
	});
});

test("every list status is made of one facet, but for the one that only running steps have", () => {
	expect(FACETS).toEqual(["cancelled", "issued", "blocked", "validated", "unused"]);
	expect(FACET_OF_LIST_STATUS).toEqual({
		anulado: "cancelled",
		emitido: "issued",
		bloqueado: "blocked",
		en_proceso: null,
		validado: "validated",
		expirado: "unused",
		sin_utilizar: "unused",
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

test("both statuses of every state of a code, side by side", () => {
	const expected: Record<State, readonly [string, string | null]> = {
		"unused, fresh": ["ACTIVE", "sin_utilizar"],
		"unused, past its window": ["ACTIVE", "expirado"],
		onboarding: ["IN_ONBOARDING", "en_proceso"],
		"validating for the first time": ["ACTIVE", "en_proceso"],
		validated: ["VALIDATED", "validado"],
		"validated, past the window": ["VALIDATED", "validado"],
		"validated, busy": ["VALIDATED", "en_proceso"],
		"locked, unused": ["LOCKED", "bloqueado"],
		"locked, validated": ["LOCKED", "bloqueado"],
		"locked by failed claims": ["LOCKED", "bloqueado"],
		"locked before locks had a kind": ["LOCKED", "bloqueado"],
		"lock run out, unused": ["ACTIVE", "sin_utilizar"],
		"lock run out, validated": ["VALIDATED", "validado"],
		"blocked, unused": ["LOCKED", "bloqueado"],
		"blocked, validated": ["LOCKED", "bloqueado"],
		"blocked, holder erased": ["LOCKED", "bloqueado"],
		emitted: ["EMITTED", "emitido"],
		"emitted, certificate expired": ["EXPIRED", "emitido"],
		"cancelled, unused": ["CANCELLED", "anulado"],
		"cancelled, validated": ["CANCELLED", "anulado"],
		"cancelled, emitted": ["CANCELLED", "anulado"],
		"no such code": ["NOT_FOUND", null],
	};
	for (const [state, { facts }] of Object.entries(STATES)) {
		const both = [codeStatus(facts, NOW), facts && listStatus(facts, NOW)];
		expect([state, ...both]).toEqual([state, ...expected[state as State]]);
	}
});
