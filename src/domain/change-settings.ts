import { type DeliveryAddresses, lacksDeliveryAddress } from "./delivery-address.ts";
import type { PartnerSettings } from "./partner-settings.ts";

/** Defaults single sign-on to the flow when only the flow changes: on in the full flow, off in the reduced one. */
export function completeChange(
	current: Pick<PartnerSettings, "requireCardSerial">,
	sent: Partial<PartnerSettings>,
): Partial<PartnerSettings> {
	const { requireCardSerial = current.requireCardSerial } = sent;
	const changesFlow = requireCardSerial !== current.requireCardSerial;
	return { ...(changesFlow && { requireSso: !requireCardSerial }), ...sent };
}

export type SettingsProblem = "sso_in_reduced_flow" | "delivery_address_required";

type ChangedPartner = PartnerSettings & DeliveryAddresses;

/** Why a change is refused. A partner that already is without a delivery address can be changed all the same. */
export function changeProblem(
	current: ChangedPartner,
	change: Partial<ChangedPartner>,
): SettingsProblem | null {
	const changed = { ...current, ...change };
	if (changed.requireSso && changed.requireCardSerial) return "sso_in_reduced_flow";
	if (lacksDeliveryAddress(changed) && !lacksDeliveryAddress(current)) return "delivery_address_required";
	return null;
}
