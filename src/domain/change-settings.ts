import type { PartnerSettings } from "./partner-settings.ts";

/** Single sign-on follows a change of the flow that does not name it: on in the full flow, off in the reduced one. */
export function completeChange(
	current: Pick<PartnerSettings, "requireCardSerial">,
	sent: Partial<PartnerSettings>,
): Partial<PartnerSettings> {
	const { requireCardSerial = current.requireCardSerial } = sent;
	const changesFlow = requireCardSerial !== current.requireCardSerial;
	return { ...(changesFlow && { requireSso: !requireCardSerial }), ...sent };
}

export type SettingsProblem = "sso_in_reduced_flow";

/** Why a change is refused. A partner of before keeps what is refused now, until a change names it. */
export function changeProblem(
	current: PartnerSettings,
	change: Partial<PartnerSettings>,
): SettingsProblem | null {
	const changed = { ...current, ...change };
	if (change.requireSso && changed.requireCardSerial) return "sso_in_reduced_flow";
	return null;
}
