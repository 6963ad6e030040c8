import { made, type Shape, time } from "./expected.ts";
import type { Ledger } from "./ledger.ts";
import type { Rules } from "./rules.ts";
import { codeStatus, listStatus } from "./statuses.ts";

/** View of a code for ops, and for its partner without the owner. */
export function codeFacts(ledger: Ledger, name: string, now: number, rules: Rules): Record<string, Shape> {
	const code = ledger.codes[name]!;
	return {
		p_code: made("code", name),
		partner_id: made("partner", code.partner),
		product: code.product,
		status: codeStatus(ledger, name, now, rules),
		list_status: listStatus(ledger, name, now, rules),
		processing: code.running ? 1 : 0,
		external_reference_id: code.reference,
		created_at: time(code.createdAt),
		updated_at: time(code.updatedAt),
		expires_at: time(code.createdAt + rules.window),
		issued_at: time(code.certificate?.issuedAt ?? null),
		certificate_serial: code.certificate ? made("serial", name) : null,
		certificate_not_after: time(code.certificate?.notAfter ?? null),
		cancelled_at: time(code.cancelledAt),
		blocked_at: time(code.blockedAt),
		validation_locked_until: time(code.requestLockedUntil),
		validation_blocked_at: time(code.requestBlockedAt),
		claim_locked_until: time(code.claimLockedUntil),
		validation_failures: code.validationAttempts.failures,
		validation_locks: code.validationAttempts.locks,
		claim_failures: code.claimAttempts.failures,
		claim_locks: code.claimAttempts.locks,
	};
}
