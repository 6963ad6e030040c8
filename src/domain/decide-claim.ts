import { closedTo } from "./admit-request.ts";
import type { CodeFacts } from "./code-facts.ts";
import { type Refusal, refuse } from "./rejection.ts";

export type ClaimDecision = { kind: "issue" } | Refusal;

interface ClaimSurroundings {
	/** Another step of this code holds its lease. */
	busy: boolean;
	/** The authority could issue the code's certificate now. */
	issuable: boolean;
	/** RUT and PIN both equal those of the request. */
	credentialsMatch: boolean;
	now: number;
}

/**
 * Decides a certificate_claim. An emitted code answers ALREADY_ISSUED for any RUT and PIN: §3.3 gives that row no
 * condition, and GET /status shows as much to that partner. A code whose first validation runs answers 202: its result
 * is not known yet.
 */
export function decideClaim(
	facts: CodeFacts | null,
	{ busy, issuable, credentialsMatch, now }: ClaimSurroundings,
): ClaimDecision {
	if (facts === null || (facts.validatedAt === null && !busy)) return refuse({ reason: "not_found" });
	const closed = closedTo("claim", facts, now);
	if (closed) return refuse(closed);
	if (facts.issuedAt !== null) return refuse({ reason: "already_issued" });
	if (busy) return refuse({ reason: "validation_in_progress" });
	if (!issuable) return refuse({ reason: "service_unavailable" });
	if (!credentialsMatch)
		return { kind: "rejected", rejection: { reason: "credentials_mismatch" }, spendsAttempt: true };
	return { kind: "issue" };
}
