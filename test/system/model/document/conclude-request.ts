import { attemptsLeft, cleared, spend } from "./attempts.ts";
import { ownerOf } from "./emails.ts";
import {
	businessRejection,
	type Expected,
	error,
	failure,
	made,
	type Outcome,
	success,
	time,
	unavailable,
} from "./expected.ts";
import { fullName, identityOf } from "./identities.ts";
import { isIssuable, issue } from "./issue.ts";
import { judge } from "./judge.ts";
import { type CertificateState, changeCode, type Ledger, type RutAttempts } from "./ledger.ts";
import type { Moment } from "./moment.ts";
import type { Rules } from "./rules.ts";
import { clearRut, rutAfterFailure, spendRut } from "./rut-attempts.ts";
import { proofsOf, type Settings } from "./settings.ts";

const KIND = "request";

/** A certificate_request that nothing stands against but what registry and single sign-on say. */
export interface Admitted {
	code: string;
	partner: string;
	settings: Settings;
	/** Canonical. */
	values: Record<string, string | undefined>;
	/** The RUT's failures as they were then. */
	rut: RutAttempts | null;
}

/** Spends an attempt of the code and of the RUT, and tells what is left as it was read. */
export function failRequest(
	ledger: Ledger,
	{ code: name, partner, settings, values, rut }: Admitted,
	rule: string,
	now: number,
	rules: Rules,
): Outcome {
	const spent = changeCode(ledger, name, spend(ledger.codes[name]!, "validationAttempts", now, rules));
	const counted = rutAfterFailure(rut, now, rules);
	const after = attemptsLeft(spent.codes[name]!, "validationAttempts", counted, now, rules);
	return {
		ledger: spendRut(spent, partner, values.dni!, now, rules),
		expected: failure(KIND, rule, after, now, blamedField(rule, settings, rules)),
	};
}

/** Registry and single sign-on have answered: §3.3's transition, or an attempt spent, or nothing (503). */
export function concludeRequest(ledger: Ledger, admitted: Admitted, moment: Moment): Outcome {
	const { now, at, rules } = moment;
	const { code: name, partner, settings } = admitted;
	const code = ledger.codes[name]!;
	const verdict = judge(settings, admitted.values, rules);
	if (verdict === "REGISTRY_UNAVAILABLE" || verdict === "SERVICE_UNAVAILABLE")
		return { ledger, expected: error(KIND, verdict, { "Retry-After": { $: "text" } }) };
	if (verdict !== "valid") return failRequest(ledger, admitted, verdict, now, rules);
	const values = admitted.values as Record<"dni" | "email" | "pin" | "referenceId", string>;
	const email = values.email.toLowerCase();
	// Possible only after a wait: another RUT may have got the e-mail meanwhile. No attempt is spent.
	if ((ownerOf(ledger, partner, email) ?? values.dni) !== values.dni)
		return {
			ledger: changeCode(ledger, name, { updatedAt: now }),
			expected: businessRejection(KIND, "EMAIL_IN_USE"),
		};
	// Possible only after a wait, too: the decision saw that it could be issued.
	if (settings.mode === "B2B" && !isIssuable(ledger, code.product, at, rules))
		return { ledger, expected: unavailable(KIND, "beyond the authority") };
	const certificate = settings.mode === "B2B" ? issue(code, moment) : null;
	const accepted = changeCode(ledger, name, {
		validation: {
			at: now,
			rut: values.dni,
			pin: values.pin,
			email,
			erased: false,
		},
		reference: values.referenceId,
		certificate,
		// A success ends a lock and clears the failures of both kinds, as a new PIN is set; not the count of locks (0001).
		requestLockedUntil: null,
		claimLockedUntil: null,
		validationAttempts: cleared(code.validationAttempts),
		claimAttempts: cleared(code.claimAttempts),
		updatedAt: now,
	});
	return {
		ledger: clearRut(accepted, partner, values.dni),
		expected: tellSuccess(name, values, certificate),
	};
}

/** Item 12 of issue 20: a card's mismatch names the serial number only where it was asked for. */
function blamedField(rule: string, settings: Settings, rules: Rules) {
	if (rule !== "ID_CARD_MISMATCH") return undefined;
	const isAsked = proofsOf(settings, rules).includes("serialNumber");
	return isAsked || rules.unaskedSerialIsBlamed ? { field: "serialNumber" } : {};
}

/** §4.1, 200. */
function tellSuccess(
	name: string,
	{ dni, email, referenceId }: Record<"dni" | "email" | "referenceId", string>,
	certificate: CertificateState | null,
): Expected {
	const status = certificate ? "EMITTED" : "VALIDATED";
	const data = {
		p_code: made("code", name),
		referenceId,
		status,
		titular: { rut: dni, nombreCompleto: fullName(identityOf(dni)!), email },
		...(certificate && {
			certificate: {
				serialNumber: made("serial", name),
				validFrom: time(certificate.notBefore),
				validTo: time(certificate.notAfter),
				pfxFileName: `certificado-${dni}.pfx`,
			},
		}),
	};
	return success(`${KIND} ${status}`, 200, data);
}
