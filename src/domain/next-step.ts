import { closedTo } from "./admit-request.ts";
import { type CodeFacts, expiresAt } from "./code-facts.ts";
import { CLAIM_ATTEMPTS, VALIDATION_ATTEMPTS, VALIDATION_LIFE_MS } from "./limits.ts";
import { type Validity, validityAt } from "./validity.ts";

/** Next action for the person who looks at a purchase code. Times in epoch milliseconds. */
export type NextStep =
	| { kind: "cancelled" | "revoked" | "certificate_expired" | "blocked" | "window_over" | "working" }
	| { kind: "issued" | "validation_locked" | "claim_locked" | "onboarding"; until: number }
	/** `left`: attempts until the next lock. */
	| { kind: "claim" | "validate"; until: number; left: number };

/**
 * The first that applies, in the order in which the calls themselves are refused.
 * @param certificate - the one that was issued with the code
 */
export function nextStep(
	facts: CodeFacts,
	certificate: { notAfter: number | null; revokedAt: number | null } | null,
	now: number,
): NextStep {
	if (facts.cancelledAt !== null) return { kind: "cancelled" };
	if (facts.issuedAt !== null)
		return afterIssue(certificate ?? { notAfter: facts.certificateNotAfter, revokedAt: null }, now);
	if (facts.blockedAt !== null) return { kind: "blocked" };
	if ((facts.processingUntil ?? 0) > now) return { kind: "working" };
	if (facts.validatedAt === null && closedTo("validation", facts, now))
		return { kind: "validation_locked", until: facts.validationLockedUntil! };
	if (facts.validatedAt !== null && closedTo("claim", facts, now))
		return { kind: "claim_locked", until: facts.claimLockedUntil! };
	if ((facts.onboardingUntil ?? 0) > now) return { kind: "onboarding", until: facts.onboardingUntil! };
	if (facts.validatedAt !== null) {
		const until = facts.validatedAt + VALIDATION_LIFE_MS;
		return { kind: "claim", until, left: CLAIM_ATTEMPTS - facts.claimFailures };
	}
	const until = expiresAt(facts.createdAt);
	if (until <= now) return { kind: "window_over" };
	return { kind: "validate", until, left: VALIDATION_ATTEMPTS - facts.validationFailures };
}

const AFTER_ISSUE: Record<Exclude<Validity, "valid">, "revoked" | "certificate_expired"> = {
	revoked: "revoked",
	expired: "certificate_expired",
};

function afterIssue(
	certificate: { notAfter: number | null; revokedAt: number | null },
	now: number,
): NextStep {
	const validity = validityAt(certificate, now);
	if (validity !== "valid") return { kind: AFTER_ISSUE[validity] };
	return { kind: "issued", until: certificate.notAfter! };
}
