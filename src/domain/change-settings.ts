import { type DeliveryAddresses, lacksDeliveryAddress } from "./delivery-address.ts";
import { asksSingleSignOn, type PartnerSettings } from "./partner-settings.ts";

/**
 * Sets what a change of the flow does not name: single sign-on, on in the full flow and off in the reduced one; without
 * it, no setting of the card's serial beside it.
 */
export function completeChange(
	current: Pick<PartnerSettings, "requireCardSerial" | "requireSso">,
	sent: Partial<PartnerSettings>,
): Partial<PartnerSettings> {
	const { requireCardSerial = current.requireCardSerial } = sent;
	const changesFlow = requireCardSerial !== current.requireCardSerial;
	const change = { ...(changesFlow && { requireSso: !requireCardSerial }), ...sent };
	return asksSingleSignOn({ ...current, ...change }) ? change : { requireSerialWithSso: false, ...change };
}

export type SettingsProblem = "sso_in_reduced_flow" | "serial_without_sso" | "delivery_address_required";

type ChangedPartner = PartnerSettings & DeliveryAddresses;

/** Why a change is refused. A partner that already is without a delivery address can be changed all the same. */
export function changeProblem(
	current: ChangedPartner,
	change: Partial<ChangedPartner>,
): SettingsProblem | null {
	const changed = { ...current, ...change };
	if (changed.requireSso && changed.requireCardSerial) return "sso_in_reduced_flow";
	if (changed.requireSerialWithSso && !asksSingleSignOn(changed)) return "serial_without_sso";
	if (lacksDeliveryAddress(changed) && !lacksDeliveryAddress(current)) return "delivery_address_required";
	return null;
}
