import { personOf, sameName, signOn } from "./people.ts";
import type { Settings } from "./world.ts";

/**
 * What registry and single sign-on make of a holder. The registry comes first, as in 0001: its refusal stands
 * whatever the other says.
 * @returns `valid`, the code of a 406, or the error of a 503.
 */
export function judge(settings: Settings, values: Record<string, string | undefined>): string {
	const { dni, serialNumber, fechaVencimiento, names, fLastname, mLastname, ssoCredential } = values;
	const person = personOf(dni!);
	if (person?.says === "down") return "REGISTRY_UNAVAILABLE";
	if (!person || person.says === "refused") return "ID_CARD_MISMATCH";
	if (serialNumber !== undefined && serialNumber !== person.cardSerial) return "ID_CARD_MISMATCH";
	if (settings.validate_vencimiento && fechaVencimiento !== person.cardExpiry)
		return "EXPIRATION_DATE_MISMATCH";
	// Reduced flow: names come from the registry, and mLastname and ssoCredential are accepted, not used (0001).
	if (settings.require_cedula_serie) return "valid";
	const named =
		sameName(names!, person.names) &&
		sameName(fLastname!, person.fatherSurname) &&
		(mLastname === undefined || sameName(mLastname, person.motherSurname));
	if (!named) return "NAME_MISMATCH";
	if (ssoCredential === undefined) return "valid";
	const owner = signOn(ssoCredential);
	if (owner === "down") return "SERVICE_UNAVAILABLE";
	return owner === "rejected" || owner.rut !== dni ? "SSO_REJECTED" : "valid";
}
