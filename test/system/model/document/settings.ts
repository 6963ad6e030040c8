import type { Proof, Rules } from "./rules.ts";

/** Settings of §2.7 that change what a call means. */
export interface Settings {
	name: string;
	mode: "B2C" | "B2B";
	/** 1: reduced flow. */
	require_cedula_serie: 0 | 1;
	validate_vencimiento: 0 | 1;
	require_sso: 0 | 1;
	require_serial_with_sso: 0 | 1;
	allowed_products: readonly string[];
	key_algorithm: "ec-p256" | "rsa-2048";
	max_codes_14_days: number;
	/** The only address of these partners. */
	delivery_email: string | null;
}

export type SentSettings = Partial<Settings>;

/** Absent settings have their defaults. */
export type NewSettings = SentSettings & Pick<Settings, "name">;

export const DEFAULTS: Omit<Settings, "name"> = {
	mode: "B2C",
	require_cedula_serie: 1,
	validate_vencimiento: 0,
	require_sso: 0,
	require_serial_with_sso: 0,
	allowed_products: ["FV00", "FV01", "FV02", "FV03"],
	key_algorithm: "rsa-2048",
	max_codes_14_days: 100_000,
	delivery_email: null,
};

/**
 * Decisions, "full flow": a change to it that does not name single sign-on asks for it; a change to the reduced flow
 * ends it (0001), and what ends it ends the serial beside it (0001). "Delivery": a B2B partner always has an address;
 * one that has none already can be changed (0001).
 * @returns fields that are refused, and the settings when none is.
 */
export function change(
	current: Settings,
	sent: SentSettings,
	rules: Rules,
): { settings: Settings; problems: string[] } {
	const changed = { ...current, ...sent };
	const isAnotherFlow = changed.require_cedula_serie !== current.require_cedula_serie;
	const signsOn = changed.require_cedula_serie === 1 ? 0 : rules.ssoInFullFlow;
	const require_sso = isAnotherFlow && sent.require_sso === undefined ? signsOn : changed.require_sso;
	const hasSso = changed.require_cedula_serie === 0 && require_sso === 1;
	const { require_serial_with_sso = hasSso ? current.require_serial_with_sso : 0 } = sent;
	const settings = { ...changed, require_sso, require_serial_with_sso };
	if (sent.require_sso === 1 && settings.require_cedula_serie === 1)
		return { settings, problems: ["require_sso"] };
	if (require_serial_with_sso === 1 && !hasSso) return { settings, problems: ["require_serial_with_sso"] };
	const losesAddress = lacksAddress(settings, rules) && !lacksAddress(current, rules);
	return { settings, problems: losesAddress ? ["delivery_email"] : [] };
}

export function lacksAddress({ mode, delivery_email }: Settings, rules: Rules): boolean {
	return rules.b2bNeedsAddress && mode === "B2B" && delivery_email === null;
}

/** Fields that prove, besides the names, who the holder is: decisions, "full flow, what is checked". */
export function proofsOf(settings: Settings, rules: Rules): readonly Proof[] {
	const { require_cedula_serie, require_sso, require_serial_with_sso } = settings;
	if (require_cedula_serie === 1) return ["serialNumber"];
	const proofs = rules.proofBySso[require_sso];
	return proofs.includes("ssoCredential") ? [...proofs, ...rules.besideSso[require_serial_with_sso]] : proofs;
}
