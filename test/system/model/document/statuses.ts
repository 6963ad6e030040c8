import type { CodeState, Ledger } from "./ledger.ts";
import type { Rules } from "./rules.ts";

/** §3.1, the first that applies. @param name - null: not a code of the caller's. */
export function codeStatus(ledger: Ledger, name: string | null, now: number, rules: Rules): string {
	const code = name === null ? undefined : ledger.codes[name];
	if (name === null || code === undefined) return "NOT_FOUND";
	if (code.cancelledAt !== null) return "CANCELLED";
	if (code.certificate && code.certificate.notAfter <= now) return "EXPIRED";
	if (code.certificate) return "EMITTED";
	if (isLocked(code, now)) return "LOCKED";
	if (isInOnboarding(ledger, name, now, rules)) return "IN_ONBOARDING";
	return code.validation ? "VALIDATED" : "ACTIVE";
}

/** §3.2, with the values of decisions, "list statuses, first that applies". */
export function listStatus(ledger: Ledger, name: string, now: number, rules: Rules): string {
	const code = ledger.codes[name]!;
	if (code.cancelledAt !== null) return "anulado";
	if (code.certificate) return "emitido";
	if (isLocked(code, now)) return "bloqueado";
	if (code.running || isInOnboarding(ledger, name, now, rules)) return "en_proceso";
	if (code.validation) return "validado";
	return isExpired(rules, code, now) ? "expirado" : "sin_utilizar";
}

/** Decisions, "14-day window": it binds only a code that nobody has validated. */
export function isExpired(rules: Rules, code: CodeState, now: number): boolean {
	return code.validation === null && code.createdAt + rules.window <= now;
}

/** Decisions, "IN_ONBOARDING starts": from its start until it succeeds or ends. */
function isInOnboarding({ sessions }: Ledger, name: string, now: number, rules: Rules): boolean {
	return Object.values(sessions).some(
		({ code, startedAt, until, validatedAt, end }) =>
			code === name &&
			(startedAt !== null || !rules.onboardingNeedsStart) &&
			validatedAt === null &&
			end === null &&
			until > now,
	);
}

/** Decisions, "LOCKED": permanently blocked, or the next step's security lock has not run out. */
function isLocked(code: CodeState, now: number): boolean {
	const until = code.validation ? code.claimLockedUntil : code.requestLockedUntil;
	return code.blockedAt !== null || (until !== null && until > now);
}
