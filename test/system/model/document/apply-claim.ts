import { attemptsLeft, barrier, cleared, spend } from "./attempts.ts";
import type { Moment } from "./authenticate.ts";
import type { ClaimCall, Values } from "./calls.ts";
import { error, failure, made, type Outcome, success, time, unavailable } from "./expected.ts";
import { post } from "./idempotency.ts";
import { type CertificateState, type CodeState, changeCode, type Ledger } from "./ledger.ts";
import { mendCode } from "./mend.ts";
import { endOfValidity, type Rules } from "./rules.ts";

export function issue({ product }: CodeState, { now, at, rules }: Moment): CertificateState {
	const dated = rules.certificatesAreReal ? at : now;
	return {
		issuedAt: now,
		notBefore: Math.floor(dated / 1000) * 1000 - rules.clockSkew,
		notAfter: endOfValidity(rules, product, dated),
		revokedAt: null,
		revocationReason: null,
	};
}

/** No certificate outlives its authority: what would is refused (503) before anything is spent. */
export function isIssuable({ authority }: Ledger, product: string, at: number, rules: Rules): boolean {
	const lasts = at >= authority.from && endOfValidity(rules, product, at) <= authority.until;
	return rules.outlivesAuthority || lasts;
}

export function isSellable(ledger: Ledger, product: string, now: number, rules: Rules): boolean {
	return [now, now + rules.saleMargin].every((at) => isIssuable(ledger, product, at, rules));
}

const KIND = "claim";

/** POST /certificate_claim (§4.2), in the order of decisions, "Order of checks". */
export function applyClaim(ledger: Ledger, call: ClaimCall, now: number, rules: Rules): Outcome {
	return post(ledger, call, { now, rules }, (known, { id: partner }, moment) =>
		claim(known, { partner, code: call.code.code }, call.fields as Values, moment),
	);
}

export function claim(
	known: Ledger,
	{ partner, code: name }: { partner: string; code: string },
	{ dni, pin }: Values,
	moment: Moment,
): Outcome {
	const { now, at, rules } = moment;
	const ledger = known.codes[name]?.partner === partner ? mendCode(known, name, now) : known;
	const code = ledger.codes[name];
	// The first validation's result is not known while it runs: then it is 202 and not 404.
	if (code?.partner !== partner || (code.validation ?? code.certificate ?? code.running) === null)
		return { ledger, expected: { ...error(KIND, "NOT_FOUND"), bytes: `404 ${KIND}` } };
	const barred = barrier(KIND, code, now);
	if (barred?.error === "LOCKED") return { ledger, expected: error(KIND, "LOCKED") };
	if (barred) return { ledger, expected: error(KIND, barred.error, { "Retry-After": barred.retryAfter }) };
	// §3.3 gives this row no condition: any RUT and PIN.
	if (code.certificate) return { ledger, expected: error(KIND, "ALREADY_ISSUED") };
	if (code.running)
		return { ledger, expected: error(KIND, "VALIDATION_IN_PROGRESS", { "Retry-After": "3" }) };
	if (!isIssuable(ledger, code.product, at, rules))
		return { ledger, expected: unavailable(KIND, "beyond the authority") };
	if (code.validation!.rut !== dni || code.validation!.pin !== pin) {
		const spent = changeCode(ledger, name, spend(code, "claimAttempts", now, rules));
		const after = attemptsLeft(spent.codes[name]!, "claimAttempts", null, now, rules);
		return { ledger: spent, expected: failure(KIND, "CREDENTIALS_MISMATCH", after, now) };
	}
	// Whatever the partner's mode is by now: B2B has no claim step, yet a validated code waits for one.
	const certificate = issue(code, moment);
	const data = {
		p_code: made("code", name),
		certificate: made("pfx", name),
		validFrom: time(certificate.notBefore),
		validTo: time(certificate.notAfter),
		serialNumber: made("serial", name),
	};
	const issued = changeCode(ledger, name, {
		certificate,
		claimAttempts: cleared(code.claimAttempts),
		updatedAt: now,
	});
	return {
		ledger: issued,
		expected: { ...success(KIND, 200, data), opensWith: { pin: pin!, rut: dni! } },
	};
}
