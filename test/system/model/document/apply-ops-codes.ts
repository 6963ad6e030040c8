import type { CallOf } from "./calls.ts";
import { tellRevoked, withdraw } from "./deliveries.ts";
import { freeEmail } from "./emails.ts";
import {
	businessRejection,
	type Expected,
	error,
	made,
	type Outcome,
	type Shape,
	success,
	time,
} from "./expected.ts";
import { type CodeState, changeCode, type Ledger, NO_ATTEMPTS, record } from "./ledger.ts";
import type { Rules } from "./rules.ts";
import { codeStatus, listStatus } from "./statuses.ts";

/* What ops do to codes and certificates: 0001 and 0005 of the project's decisions. They act on any partner's. */

export function applyOperate(ledger: Ledger, call: CallOf<"operate">, now: number, rules: Rules): Outcome {
	const {
		verb,
		code: { code: name },
	} = call;
	const code = ledger.codes[name];
	if (!code) return { ledger, expected: error(verb, "NOT_FOUND") };
	if (code.cancelledAt !== null && verb !== "cancel") return { ledger, expected: error(verb, "LOCKED") };
	// What has no holder any more cannot be validated or claimed again: it is replaced.
	if (verb === "unblock" && code.validation?.erased) return { ledger, expected: error(verb, "LOCKED") };
	if (verb === "block" && code.certificate)
		return { ledger, expected: businessRejection(verb, "CODE_ALREADY_USED") };
	const change = changeOf(call, code, now);
	const changed = change ? commit(ledger, name, change, now, verb) : ledger;
	const expected = success(verb, 200, { pcode: codeFacts(changed, name, now, rules) });
	return { ledger: changed, expected: change ? expected : { ...expected, outcome: `${verb} again` } };
}

function commit(
	ledger: Ledger,
	name: string,
	change: Partial<CodeState>,
	now: number,
	action: string,
): Ledger {
	const changed = changeCode(ledger, name, { ...change, updatedAt: now });
	const recorded = record(changed, `code ${name}`, { at: now, by: "ops", action });
	const withdrawn = { cancel: "cancelled", revoke: "revoked" }[action];
	if (withdrawn === undefined) return recorded;
	const ended = withdraw(recorded, name, withdrawn, now);
	return change.certificate ? tellRevoked(ended, name, now) : ended;
}

/** Null: repeating a verb changes nothing. */
function changeOf({ verb, revocationReason }: CallOf<"operate">, code: CodeState, now: number) {
	switch (verb) {
		case "cancel":
			if (code.cancelledAt !== null) return null;
			return {
				cancelledAt: now,
				...freeEmail(code),
				...revoked(code, revocationReason ?? "cessationOfOperation", now),
			};
		case "block":
			return code.blockedAt === null ? { blockedAt: now } : null;
		case "unblock": {
			const { blockedAt, lock, validationAttempts, claimAttempts } = code;
			const counts = [validationAttempts, claimAttempts].flatMap(({ failures, locks }) => [failures, locks]);
			return blockedAt === null && lock === null && counts.every((count) => count === 0)
				? null
				: { blockedAt: null, lock: null, validationAttempts: NO_ATTEMPTS, claimAttempts: NO_ATTEMPTS };
		}
	}
}

/** The first revocation stands (0005). */
function revoked({ certificate }: CodeState, reason: string, now: number): Partial<CodeState> | null {
	if (!certificate || certificate.revokedAt !== null) return null;
	return { certificate: { ...certificate, revokedAt: now, revocationReason: reason } };
}

/** Revoking a certificate leaves its code as it is, but for `updated_at`: the code's chain has one more entry. */
export function applyRevocation(ledger: Ledger, call: CallOf<"revoke certificate">, now: number): Outcome {
	const code = ledger.codes[call.code];
	if (!code?.certificate) return { ledger, expected: error("revoke", "NOT_FOUND") };
	const change = revoked(code, call.reason, now);
	const changed = change ? commit(ledger, call.code, change, now, "revoke") : ledger;
	const expected = certificateFacts("revoke", changed, call.code);
	return { ledger: changed, expected: change ? expected : { ...expected, outcome: "revoke again" } };
}

export function applyShowCode(
	ledger: Ledger,
	{ code }: CallOf<"show code">,
	now: number,
	rules: Rules,
): Outcome {
	const isThere = ledger.codes[code.code] !== undefined;
	const expected = isThere
		? success("show code", 200, { pcode: codeFacts(ledger, code.code, now, rules) })
		: error("show code", "NOT_FOUND");
	return { ledger, expected };
}

export function applyShowCertificate(ledger: Ledger, { code }: CallOf<"show certificate">): Outcome {
	const isThere = ledger.codes[code]?.certificate != null;
	const expected = isThere
		? certificateFacts("show certificate", ledger, code)
		: error("show certificate", "NOT_FOUND");
	return { ledger, expected };
}

/** As ops see a code. */
function codeFacts(ledger: Ledger, name: string, now: number, rules: Rules): Shape {
	const code = ledger.codes[name]!;
	const pcode: Record<string, Shape> = {
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
		locked_until: time(code.lock?.until ?? null),
		lock_kind: code.lock?.by ?? null,
		validation_failures: code.validationAttempts.failures,
		validation_locks: code.validationAttempts.locks,
		claim_failures: code.claimAttempts.failures,
		claim_locks: code.claimAttempts.locks,
	};
	return { $: "with", fields: pcode };
}

function certificateFacts(kind: string, { codes }: Ledger, name: string): Expected {
	const { partner, certificate } = codes[name]!;
	const { issuedAt, notBefore, notAfter, revokedAt, revocationReason } = certificate!;
	const facts = {
		serial: made("serial", name),
		partner_id: made("partner", partner),
		p_code: made("code", name),
		issued_at: time(issuedAt),
		not_before: time(notBefore),
		not_after: time(notAfter),
		revoked_at: time(revokedAt),
		revocation_reason: revocationReason,
		renews: null,
	};
	return success(kind, 200, { certificate: facts });
}
