import { type Moment, momentOf } from "./authenticate.ts";
import type { CallOf } from "./calls.ts";
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
import { type CodeState, changeCode, freeEmail, type Ledger, NO_ATTEMPTS } from "./ledger.ts";
import type { Rules } from "./rules.ts";
import { codeStatus, listStatus } from "./statuses.ts";

/** View of a code for ops. */
function codeFacts(ledger: Ledger, name: string, now: number, rules: Rules): Record<string, Shape> {
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

/* Ops' changes of any code and certificate: 0001 and 0005 of the project's decisions. */

export function applyOperate(ledger: Ledger, call: CallOf<"operate">, at: number, rules: Rules): Outcome {
	const { verb } = call;
	const name = call.code.code;
	const code = ledger.codes[name];
	if (!code) return { ledger, expected: error(verb, "NOT_FOUND") };
	if (code.cancelledAt !== null && verb !== "cancel") return { ledger, expected: error(verb, "LOCKED") };
	// A code without a holder cannot be validated or claimed again.
	if (verb === "unblock" && code.validation?.erased) return { ledger, expected: error(verb, "LOCKED") };
	if (verb === "block" && code.certificate)
		return { ledger, expected: businessRejection(verb, "CODE_ALREADY_USED") };
	const moment = momentOf(ledger, code.partner, at, rules);
	const changed = changeBy(ledger, call, moment);
	const facts = codeFacts(changed, name, moment.now, rules);
	const expected = success(verb, 200, { pcode: { $: "with", fields: facts } });
	return { ledger: changed, expected: unlessAgain(verb, ledger, changed, expected) };
}

function changeBy(
	ledger: Ledger,
	{ verb, code, revocationReason }: CallOf<"operate">,
	moment: Moment,
): Ledger {
	const name = code.code;
	if (verb === "cancel") return cancel(ledger, name, moment, revocationReason);
	const state = ledger.codes[name]!;
	const { now } = moment;
	if (verb === "block")
		return state.blockedAt === null ? changeCode(ledger, name, { blockedAt: now, updatedAt: now }) : ledger;
	const { blockedAt, requestLockedUntil, requestBlockedAt, claimLockedUntil } = state;
	const counts = [state.validationAttempts, state.claimAttempts].flatMap(({ failures, locks }) => [
		failures,
		locks,
	]);
	const locks = [blockedAt, requestLockedUntil, requestBlockedAt, claimLockedUntil];
	if (locks.every((lock) => lock === null) && counts.every((count) => count === 0)) return ledger;
	const free = { validationAttempts: NO_ATTEMPTS, claimAttempts: NO_ATTEMPTS };
	const open = { blockedAt: null, requestLockedUntil: null, requestBlockedAt: null, claimLockedUntil: null };
	return changeCode(ledger, name, { ...open, ...free, updatedAt: now });
}

/** Repeating a verb changes nothing: the ledger is the same object. */
function unlessAgain(kind: string, before: Ledger, after: Ledger, expected: Expected): Expected {
	return after === before ? { ...expected, outcome: `${kind} again` } : expected;
}

function cancel(ledger: Ledger, name: string, { now, at }: Moment, reason = "cessationOfOperation"): Ledger {
	const code = ledger.codes[name]!;
	if (code.cancelledAt !== null) return ledger;
	const change = { cancelledAt: now, ...freeEmail(code), ...revoked(code, reason, at), updatedAt: now };
	return changeCode(ledger, name, change);
}

/** Revoking a certificate leaves its code as it is, but for `updated_at`. */
function revoke(ledger: Ledger, name: string, { now, at }: Moment, reason: string): Ledger {
	const change = revoked(ledger.codes[name]!, reason, at);
	return change ? changeCode(ledger, name, { ...change, updatedAt: now }) : ledger;
}

/** The first revocation stands (0005). */
function revoked({ certificate }: CodeState, reason: string, at: number): Partial<CodeState> | null {
	if (!certificate || certificate.revokedAt !== null) return null;
	return { certificate: { ...certificate, revokedAt: at, revocationReason: reason } };
}

export function applyRevocation(
	ledger: Ledger,
	{ code: name, reason }: CallOf<"revoke certificate">,
	at: number,
	rules: Rules,
): Outcome {
	const code = ledger.codes[name];
	if (!code?.certificate) return { ledger, expected: error("revoke", "NOT_FOUND") };
	const changed = revoke(ledger, name, momentOf(ledger, code.partner, at, rules), reason);
	const expected = certificateFacts("revoke", changed, name);
	return { ledger: changed, expected: unlessAgain("revoke", ledger, changed, expected) };
}

export function applyShowCode(
	ledger: Ledger,
	{ code }: CallOf<"show code">,
	at: number,
	rules: Rules,
): Outcome {
	const found = ledger.codes[code.code];
	if (!found) return { ledger, expected: error("show code", "NOT_FOUND") };
	const { now } = momentOf(ledger, found.partner, at, rules);
	const facts = codeFacts(ledger, code.code, now, rules);
	return { ledger, expected: success("show code", 200, { pcode: { $: "with", fields: facts } }) };
}

export function applyShowCertificate(ledger: Ledger, { code }: CallOf<"show certificate">): Outcome {
	const isThere = ledger.codes[code]?.certificate != null;
	const expected = isThere
		? certificateFacts("show certificate", ledger, code)
		: error("show certificate", "NOT_FOUND");
	return { ledger, expected };
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
