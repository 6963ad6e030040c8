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

/** Fields that prove, besides the names, who the holder is: decisions, "full flow, what is checked". */
export function proofsOf(settings: Settings, rules: Rules): readonly Proof[] {
	const { require_cedula_serie, require_sso, require_serial_with_sso } = settings;
	if (require_cedula_serie === 1) return ["serialNumber"];
	const proofs = rules.proofBySso[require_sso];
	return proofs.includes("ssoCredential") ? [...proofs, ...rules.besideSso[require_serial_with_sso]] : proofs;
}
