import { identityOf, sameName, signOn } from "./identities.ts";
import type { Rules } from "./rules.ts";
import { proofsOf, type Settings } from "./settings.ts";

/**
 * Verdict of registry and single sign-on on a holder. The registry comes first, as in 0001: its refusal wins.
 * @returns `valid`, the code of a 406, or the error of a 503.
 */
export function judge(settings: Settings, values: Record<string, string | undefined>, rules: Rules): string {
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
		sameName(names!, identity.names) &&
		sameName(fLastname!, identity.fatherSurname) &&
		(mLastname === undefined || sameName(mLastname, identity.motherSurname));
	if (!named) return "NAME_MISMATCH";
	// A credential that is not asked for is ignored.
	if (!proofsOf(settings, rules).includes("ssoCredential")) return "valid";
	const owner = signOn(ssoCredential!);
	if (owner === "down") return "SERVICE_UNAVAILABLE";
	return owner === "rejected" || owner.rut !== dni ? "SSO_REJECTED" : "valid";
}
