import type { TimeFact } from "../domain/code-facts.ts";
import { CODE_WINDOW_MS } from "../domain/limits.ts";
import type { Condition } from "../domain/status-tables.ts";

/** Each time fact as an SQL expression over `purchase_codes`. */
const EXPRESSIONS: Record<TimeFact, string> = {
	validatedAt: "validated_at",
	issuedAt: "issued_at",
	certificateNotAfter: "certificate_not_after",
	cancelledAt: "cancelled_at",
	blockedAt: "blocked_at",
	validationLockedUntil: "validation_locked_until",
	claimLockedUntil: "claim_locked_until",
	onboardingUntil: "onboarding_until",
	processingUntil: "processing_until",
	expiresAt: `created_at + ${CODE_WINDOW_MS}`,
};

/**
 * Until when a lock, a widget session or a lease may give a code another list status than its facet's; null when none
 * ever did. The index of busy codes is over this expression, and a statement that uses it has to spell it alike.
 */
export const BUSY_UNTIL =
	"nullif(max(coalesce(validation_locked_until, 0), coalesce(claim_locked_until, 0), coalesce(onboarding_until, 0), coalesce(processing_until, 0)), 0)";

/**
 * A status table as one SQL expression, so that filters and answers follow the same ranks.
 * @param now - SQL of the moment in epoch milliseconds, such as a parameter; a table without time conditions may
 * leave it out.
 */
export function statusSql(table: readonly { status: string; when: Condition }[], now?: string): string {
	const ranks = table.map(({ status, when }) => `WHEN ${conditionSql(when, now)} THEN '${status}'`);
	return `CASE ${ranks.join(" ")} END`;
}

function conditionSql(condition: Condition, now?: string): string {
	if (condition === "always") return "1";
	if ("any" in condition) return `(${condition.any.map((part) => conditionSql(part, now)).join(" OR ")})`;
	if ("all" in condition) return `(${condition.all.map((part) => conditionSql(part, now)).join(" AND ")})`;
	if ("set" in condition) return `${EXPRESSIONS[condition.set]} IS NOT NULL`;
	if ("unset" in condition) return `${EXPRESSIONS[condition.unset]} IS NULL`;
	if (now === undefined) throw new Error("a time condition needs now");
	return "future" in condition
		? `coalesce(${EXPRESSIONS[condition.future]} > ${now}, 0)`
		: `coalesce(${EXPRESSIONS[condition.past]} <= ${now}, 0)`;
}
