import type { CodeState } from "./ledger.ts";
import type { Rules } from "./rules.ts";

/** §3.1, the first that applies. No widget session is ever open here, so nothing is IN_ONBOARDING. */
export function codeStatus(code: CodeState | null, now: number): string {
	if (code === null) return "NOT_FOUND";
	if (code.cancelledAt !== null) return "CANCELLED";
	if (code.certificate && code.certificate.notAfter <= now) return "EXPIRED";
	if (code.certificate) return "EMITTED";
	if (isLocked(code, now)) return "LOCKED";
	return code.validation ? "VALIDATED" : "ACTIVE";
}

/** §3.2, with the values of decisions, "list statuses, first that applies". */
export function listStatus(rules: Rules, code: CodeState, now: number): string {
	if (code.cancelledAt !== null) return "anulado";
	if (code.certificate) return "emitido";
	if (isLocked(code, now)) return "bloqueado";
	if (code.running) return "en_proceso";
	if (code.validation) return "validado";
	return isExpired(rules, code, now) ? "expirado" : "sin_utilizar";
}

/** Decisions, "14-day window": it binds only a code that nobody has validated. */
export function isExpired(rules: Rules, code: CodeState, now: number): boolean {
	return code.validation === null && code.createdAt + rules.window <= now;
}

/** Decisions, "LOCKED": permanently blocked, or under a security lock that has not run out. */
function isLocked(code: CodeState, now: number): boolean {
	return code.blockedAt !== null || (code.lock !== null && code.lock.until > now);
}
