import { isIssuable, issue } from "./apply-claim.ts";
import { attemptsLeft, cleared, clearRut, rutAfterFailure, spend, spendRut } from "./attempts.ts";
import type { Moment } from "./authenticate.ts";
import type { Values } from "./calls.ts";
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
import { fullName, identityOf, signOn } from "./identities.ts";
import { type CertificateState, changeCode, type Ledger, ownerOf, type RutAttempts } from "./ledger.ts";
import type { Rules } from "./rules.ts";
import { proofsOf, type Settings } from "./settings.ts";

/**
 * Verdict of registry and single sign-on on a holder. The registry comes first, as in 0001: its refusal wins.
 * @returns `valid`, the code of a 406, or the error of a 503.
 */
function judge(settings: Settings, values: Values, rules: Rules): string {
	const { dni, serialNumber, fechaVencimiento, names, fLastname, mLastname, ssoCredential } = values;
	const identity = identityOf(dni!);
	if (identity?.says === "down") return "REGISTRY_UNAVAILABLE";
	if (!identity || identity.says === "refused") return "ID_CARD_MISMATCH";
	const isCompared = !rules.unaskedSerialIsIgnored || proofsOf(settings, rules).includes("serialNumber");
	if (isCompared && serialNumber !== undefined && serialNumber !== identity.cardSerial)
		return "ID_CARD_MISMATCH";
	if (settings.validate_vencimiento && fechaVencimiento !== identity.cardExpiry)
		return "EXPIRATION_DATE_MISMATCH";
	// Reduced flow: names come from the registry, and mLastname and ssoCredential are accepted, not used (0001).
	if (settings.require_cedula_serie) return "valid";
	const named =
		names === identity.names &&
		fLastname === identity.fatherSurname &&
		(mLastname === undefined || mLastname === identity.motherSurname);
	if (!named) return "NAME_MISMATCH";
	// A credential that is not asked for is ignored.
	if (!proofsOf(settings, rules).includes("ssoCredential")) return "valid";
	const owner = signOn(ssoCredential!);
	if (owner === "down") return "SERVICE_UNAVAILABLE";
	return owner === "rejected" || owner.rut !== dni ? "SSO_REJECTED" : "valid";
}

const KIND = "request";

/** A certificate_request that nothing stands against but what registry and single sign-on say. */
export interface Admitted {
	code: string;
	partner: string;
	settings: Settings;
	/** Canonical. */
	values: Values;
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
		validation: { at: now, rut: values.dni, pin: values.pin, email, erased: false },
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
