import type { CodeFacts } from "./code-facts.ts";
import { addYears } from "./dates.ts";
import { DAY_MS } from "./durations.ts";
import { VALIDATION_LIFE_MS } from "./limits.ts";

/*
 * Retention periods. docs/operators/retention.md gives the reasons; the times are ours to choose except where it cites
 * a law. Times in milliseconds.
 */

/** Period for a holder whose code was cancelled or blocked permanently before a certificate was issued. */
export const CLOSED_HOLDER_MS = 30 * DAY_MS;
/** Ley 19.799 art. 12 b): six years at least, from the first issue; ours run from the certificate's expiry. */
const REGISTER_YEARS = 6;
/** Period for recipients of deliveries and payloads left behind; the fact that something was sent stays. */
export const DELIVERY_DETAILS_MS = 90 * DAY_MS;
/** Decisions, "Keys": an ended key. */
export const ENDED_KEY_MS = 90 * DAY_MS;
/** Decisions, "Widget": a session's record after its end, so that its page can say why it ended. */
export const ENDED_SESSION_MS = DAY_MS;
/** Period in which D1 can be restored (30 days), and a day. A stray picture stays as long. */
export const RESTORE_WINDOW_MS = 31 * DAY_MS;

/** Facts that retention reads. */
export type RetainedFacts = Pick<CodeFacts, "issuedAt" | "certificateNotAfter" | "cancelledAt" | "blockedAt">;

/**
 * Computes until when a holder's data and the pictures of the card are kept; null while the certificate may still be
 * claimed (`decide-erasure.ts`).
 */
export function keptUntil(facts: RetainedFacts): number | null {
	if (facts.issuedAt !== null) return registerUntil(facts.certificateNotAfter ?? facts.issuedAt);
	const closedAt = earliest(facts.cancelledAt, facts.blockedAt);
	return closedAt === null ? null : closedAt + CLOSED_HOLDER_MS;
}

/** Why a holder's data is kept: for the register that the law asks for, for the claim to come, or for objections to a closed code. */
export const KEPT_FOR = ["register", "claim", "objection"] as const;
export type KeptFor = (typeof KEPT_FOR)[number];

/** Computes why a validated code's holder is kept, and until when. Only the register's is kept against the holder's will. */
export function keepingOf(facts: RetainedFacts & Pick<CodeFacts, "validatedAt">): {
	why: KeptFor;
	until: number;
} {
	const until = keptUntil(facts);
	if (until === null) return { why: "claim", until: (facts.validatedAt ?? 0) + VALIDATION_LIFE_MS };
	return { why: facts.issuedAt === null ? "objection" : "register", until };
}

/** Computes until when a row of the register stays, from the certificate's expiry: never less than the years. */
export function registerUntil(notAfter: number): number {
	return addYears(notAfter, REGISTER_YEARS, "1 March");
}

function earliest(...times: (number | null)[]): number | null {
	const set = times.filter((time) => time !== null);
	return set.length > 0 ? Math.min(...set) : null;
}
