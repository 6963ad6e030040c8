import { asksCardSerial, type PartnerSettings } from "../domain/partner-settings.ts";
import type { IdentityMismatch } from "../domain/rejection.ts";
import { namesAgree } from "./compare-names.ts";
import type { RegisteredPerson, RegistryAnswer, SingleSignOnAnswer } from "./ports.ts";

export type IdentityVerdict =
	| { kind: "accepted"; person: RegisteredPerson }
	| { kind: "mismatch"; reason: IdentityMismatch }
	| { kind: "unavailable"; upstream: "registry" | "single_sign_on"; detail: string };

export interface ClaimedIdentity {
	rut: string;
	names: string | undefined;
	fatherSurname: string | undefined;
	motherSurname: string | undefined;
	/** `YYYY-MM-DD`. */
	cardExpiry: string | undefined;
}

/**
 * Judges the claimed holder by the upstreams' answers (§4.1). An unavailable upstream gives no verdict, but a
 * mismatch found in the registry's data counts even when single sign-on is unavailable.
 * @param sso - null when no credential had to be checked.
 */
export function judgeIdentity(
	settings: PartnerSettings,
	claimed: ClaimedIdentity,
	registry: RegistryAnswer,
	sso: SingleSignOnAnswer | null,
): IdentityVerdict {
	if (registry.kind === "unavailable")
		return { kind: "unavailable", upstream: "registry", detail: registry.detail };
	if (registry.kind === "mismatch")
		return { kind: "mismatch", reason: asksCardSerial(settings) ? "id_card_mismatch" : "no_card_in_force" };
	const { person } = registry;
	if (settings.validateCardExpiry && claimed.cardExpiry !== person.cardExpiry)
		return { kind: "mismatch", reason: "expiration_date_mismatch" };
	if (!settings.requireCardSerial && !namesAgree(sentName(claimed), person))
		return { kind: "mismatch", reason: "name_mismatch" };
	if (sso?.kind === "unavailable")
		return { kind: "unavailable", upstream: "single_sign_on", detail: sso.detail };
	if (sso !== null && (sso.kind === "rejected" || sso.rut !== claimed.rut))
		return { kind: "mismatch", reason: "sso_rejected" };
	return { kind: "accepted", person };
}

function sentName({ names = "", fatherSurname = "", motherSurname }: ClaimedIdentity) {
	return { names, fatherSurname, motherSurname: motherSurname ?? null };
}
