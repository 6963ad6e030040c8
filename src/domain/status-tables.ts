import { type TimedFacts, type TimeFact, timeFact } from "./code-facts.ts";

/** A condition on stored times; `future` means later than now, `past` means now or earlier. */
export type Condition =
	| { set: TimeFact }
	| { unset: TimeFact }
	| { future: TimeFact }
	| { past: TimeFact }
	| { any: readonly Condition[] }
	| { all: readonly Condition[] }
	| "always";

interface Rank<Status extends string> {
	status: Status;
	when: Condition;
}

/** Blocked permanently, or the call that the code waits for is under its security lock (decisions, "LOCKED in GET /status"). */
const LOCKED = {
	any: [
		{ set: "blockedAt" },
		{ all: [{ unset: "validatedAt" }, { future: "validationLockedUntil" }] },
		{ all: [{ set: "validatedAt" }, { future: "claimLockedUntil" }] },
	],
} as const satisfies Condition;

/** §3.1 in precedence order; NOT_FOUND is the absence of facts. */
const STATUS_TABLE = [
	{ status: "CANCELLED", when: { set: "cancelledAt" } },
	{ status: "EXPIRED", when: { all: [{ set: "issuedAt" }, { past: "certificateNotAfter" }] } },
	{ status: "EMITTED", when: { set: "issuedAt" } },
	{ status: "LOCKED", when: LOCKED },
	{ status: "IN_ONBOARDING", when: { future: "onboardingUntil" } },
	{ status: "VALIDATED", when: { set: "validatedAt" } },
	{ status: "ACTIVE", when: "always" },
] as const satisfies readonly Rank<string>[];

/** §3.2, with the values that decisions add, in precedence order. */
export const LIST_STATUS_TABLE = [
	{ status: "anulado", when: { set: "cancelledAt" } },
	{ status: "emitido", when: { set: "issuedAt" } },
	{ status: "bloqueado", when: LOCKED },
	{ status: "en_proceso", when: { any: [{ future: "onboardingUntil" }, { future: "processingUntil" }] } },
	{ status: "validado", when: { set: "validatedAt" } },
	{ status: "expirado", when: { past: "expiresAt" } },
	{ status: "sin_utilizar", when: "always" },
] as const satisfies readonly Rank<string>[];

/**
 * The part of a code's state that does not change with time alone. Counted per block of codes, so that a filtered list
 * seeks instead of scanning; each list status is a facet, adjusted by the codes busy now.
 */
export const FACET_TABLE = [
	{ status: "cancelled", when: { set: "cancelledAt" } },
	{ status: "issued", when: { set: "issuedAt" } },
	{ status: "blocked", when: { set: "blockedAt" } },
	{ status: "validated", when: { set: "validatedAt" } },
	{ status: "unused", when: "always" },
] as const satisfies readonly Rank<string>[];

export type CodeStatus = (typeof STATUS_TABLE)[number]["status"] | "NOT_FOUND";
export type ListStatus = (typeof LIST_STATUS_TABLE)[number]["status"];
export type Facet = (typeof FACET_TABLE)[number]["status"];

export const CODE_STATUSES: readonly CodeStatus[] = [
	...STATUS_TABLE.map(({ status }) => status),
	"NOT_FOUND",
];
export const LIST_STATUSES: readonly ListStatus[] = LIST_STATUS_TABLE.map(({ status }) => status);
export const FACETS: readonly Facet[] = FACET_TABLE.map(({ status }) => status);

/** The facet behind a list status; `null` where only codes busy at this moment have it. */
export const FACET_OF_LIST_STATUS: Record<ListStatus, Facet | null> = {
	anulado: "cancelled",
	emitido: "issued",
	bloqueado: "blocked",
	en_proceso: null,
	validado: "validated",
	expirado: "unused",
	sin_utilizar: "unused",
};

/**
 * Effect of busy codes on a list status: codes of other facets `enter` it temporarily, or codes of its own facet
 * `leave` it. No status has both, and two have neither: nothing that passes with time outranks them.
 */
export const BUSY_CODES: Record<ListStatus, "enter" | "leave" | null> = {
	anulado: null,
	emitido: null,
	bloqueado: "enter",
	en_proceso: "enter",
	validado: "leave",
	expirado: "leave",
	sin_utilizar: "leave",
};

/** The answer of `GET /status`. */
export function codeStatus(facts: TimedFacts | null, now: number): CodeStatus {
	return facts === null ? "NOT_FOUND" : firstThatApplies(STATUS_TABLE, facts, now);
}

/** The `status` of an item of `GET /pcodes`. */
export function listStatus(facts: TimedFacts, now: number): ListStatus {
	return firstThatApplies(LIST_STATUS_TABLE, facts, now);
}

/** `processing` of an item of `GET /pcodes`: 1 while a validation or an emission runs. */
export function processing(facts: TimedFacts, now: number): 0 | 1 {
	return holds({ future: "processingUntil" }, facts, now) ? 1 : 0;
}

function firstThatApplies<Status extends string>(
	table: readonly Rank<Status>[],
	facts: TimedFacts,
	now: number,
): Status {
	const rank = table.find(({ when }) => holds(when, facts, now));
	if (!rank) throw new Error("a status table must end with 'always'");
	return rank.status;
}

function holds(condition: Condition, facts: TimedFacts, now: number): boolean {
	if (condition === "always") return true;
	if ("any" in condition) return condition.any.some((part) => holds(part, facts, now));
	if ("all" in condition) return condition.all.every((part) => holds(part, facts, now));
	if ("set" in condition) return timeFact(facts, condition.set) !== null;
	if ("unset" in condition) return timeFact(facts, condition.unset) === null;
	if ("future" in condition) return (timeFact(facts, condition.future) ?? -Infinity) > now;
	return (timeFact(facts, condition.past) ?? Infinity) <= now;
}
