import type { CallOf } from "./calls.ts";
import { codeFacts } from "./code-facts.ts";
import { tellRevoked, withdraw } from "./deliveries.ts";
import { freeEmail } from "./emails.ts";
import { businessRejection, type Expected, error, made, type Outcome, success, time } from "./expected.ts";
import type { AuditEntry } from "./facts.ts";
import { type CodeState, changeCode, type Ledger, NO_ATTEMPTS, record } from "./ledger.ts";
import { type Moment, momentOf } from "./moment.ts";
import type { Rules } from "./rules.ts";

/* What ops do to codes and certificates: 0001 and 0005 of the project's decisions. They act on any partner's. */

export function applyOperate(ledger: Ledger, call: CallOf<"operate">, at: number, rules: Rules): Outcome {
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
	const { now } = momentOf(ledger, code.partner, at, rules);
	const byOps = { now, at, by: "ops" } as const;
	const change = verb === "cancel" ? null : changeOf(verb, code, now);
	const changed =
		verb === "cancel"
			? cancel(ledger, name, call.revocationReason, byOps)
			: change
				? commit(ledger, name, change, byOps, verb)
				: ledger;
	const expected = success(verb, 200, { pcode: { $: "with", fields: codeFacts(changed, name, now, rules) } });
	return {
		ledger: changed,
		expected: changed !== ledger ? expected : { ...expected, outcome: `${verb} again` },
	};
}

/** Who closes it, when. */
type Closing = Omit<AuditEntry, "action"> & Pick<Moment, "now">;

function commit(
	ledger: Ledger,
	name: string,
	change: Partial<CodeState>,
	{ now, ...closing }: Closing,
	action: string,
): Ledger {
	const changed = changeCode(ledger, name, { ...change, updatedAt: now });
	const recorded = record(changed, `code ${name}`, { ...closing, action });
	const withdrawn = { cancel: "cancelled", revoke: "revoked" }[action];
	if (withdrawn === undefined) return recorded;
	const ended = withdraw(recorded, name, withdrawn, now);
	return change.certificate ? tellRevoked(ended, name, now) : ended;
}

/** The same ledger when it is cancelled. */
export function cancel(ledger: Ledger, name: string, reason: string | undefined, closing: Closing): Ledger {
	const code = ledger.codes[name]!;
	if (code.cancelledAt !== null) return ledger;
	const revocation = revoked(code, reason ?? "cessationOfOperation", closing.at);
	const change = { cancelledAt: closing.now, ...freeEmail(code), ...revocation };
	return commit(ledger, name, change, closing, "cancel");
}

/** The same ledger when it is revoked. */
export function revoke(ledger: Ledger, name: string, reason: string, closing: Closing): Ledger {
	const change = revoked(ledger.codes[name]!, reason, closing.at);
	return change ? commit(ledger, name, change, closing, "revoke") : ledger;
}

/** Null: repeating a verb changes nothing. */
function changeOf(verb: "block" | "unblock", code: CodeState, now: number): Partial<CodeState> | null {
	switch (verb) {
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
function revoked({ certificate }: CodeState, reason: string, at: number): Partial<CodeState> | null {
	if (!certificate || certificate.revokedAt !== null) return null;
	return { certificate: { ...certificate, revokedAt: at, revocationReason: reason } };
}

/** Revoking a certificate leaves its code as it is, but for `updated_at`: the code's chain has one more entry. */
export function applyRevocation(
	ledger: Ledger,
	call: CallOf<"revoke certificate">,
	at: number,
	rules: Rules,
): Outcome {
	const code = ledger.codes[call.code];
	if (!code?.certificate) return { ledger, expected: error("revoke", "NOT_FOUND") };
	const changed = revoke(ledger, call.code, call.reason, {
		...{ now: momentOf(ledger, code.partner, at, rules).now, at },
		by: "ops",
	});
	const expected = certificateFacts("revoke", changed, call.code);
	return {
		ledger: changed,
		expected: changed !== ledger ? expected : { ...expected, outcome: "revoke again" },
	};
}

export function applyShowCode(
	ledger: Ledger,
	{ code }: CallOf<"show code">,
	at: number,
	rules: Rules,
): Outcome {
	const found = ledger.codes[code.code];
	const expected = found
		? success("show code", 200, {
				pcode: {
					$: "with",
					fields: codeFacts(ledger, code.code, momentOf(ledger, found.partner, at, rules).now, rules),
				},
			})
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
