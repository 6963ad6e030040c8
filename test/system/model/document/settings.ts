import type { Proof, Rules } from "./rules.ts";

/** §2.7, in its words, and what onboarding adds. */
export interface Settings {
	name: string;
	mode: "B2C" | "B2B";
	/** 1: reduced flow. */
	require_cedula_serie: 0 | 1;
	validate_vencimiento: 0 | 1;
	require_sso: 0 | 1;
	allowed_products: readonly string[];
	key_algorithm: "ec-p256" | "rsa-2048";
	webhook_url: string | null;
	webhook_events: readonly string[];
	/** Since when and by whom the webhook is switched off. */
	webhook_off: { at: number; by: "endpoint" | "ops" } | null;
	delivery_email: string | null;
	holder_reminders: boolean;
}

/** What ops send; `webhook_enabled` as it is sent. */
export type SentSettings = Partial<Omit<Settings, "webhook_off">> & { webhook_enabled?: boolean };

/** What is not sent is the default's. */
export type NewSettings = SentSettings & Pick<Settings, "name">;

export const DEFAULTS: Omit<Settings, "name"> = {
	mode: "B2C",
	require_cedula_serie: 1,
	validate_vencimiento: 0,
	require_sso: 0,
	allowed_products: ["FV00", "FV01", "FV02", "FV03"],
	key_algorithm: "rsa-2048",
	webhook_url: null,
	webhook_events: ["certificate.emitted"],
	webhook_off: null,
	delivery_email: null,
	holder_reminders: false,
};

/**
 * Decisions, "full flow": a change to it that does not name single sign-on asks for it; a change to the reduced flow
 * ends it (0001). "Delivery": a B2B partner always has an address. A new webhook address switches on what a 410 switched off,
 * and of ops also what they did. @returns fields that are refused, and the settings when none is.
 */
export function change(
	current: Settings,
	{ webhook_enabled: enabled, ...sent }: SentSettings,
	{ by, now, rules }: { by: "ops" | "partner"; now: number; rules: Rules },
): { settings: Settings; problems: string[]; switchedOn: boolean } {
	const stays = by === "partner" && current.webhook_off?.by === "ops" && rules.opsSwitchStands;
	const switchedOn = enabled ?? (sent.webhook_url != null && rules.newAddressSwitchesOn && !stays);
	const off = { at: current.webhook_off?.at ?? now, by: "ops" as const };
	const webhook_off = enabled === false ? off : switchedOn ? null : current.webhook_off;
	const changed = { ...current, ...sent, webhook_off };
	const isAnotherFlow = changed.require_cedula_serie !== current.require_cedula_serie;
	const signsOn = changed.require_cedula_serie === 1 ? 0 : rules.ssoInFullFlow;
	const settings = {
		...changed,
		...(isAnotherFlow && sent.require_sso === undefined && { require_sso: signsOn }),
	};
	const isInReducedFlow = sent.require_sso === 1 && settings.require_cedula_serie === 1;
	if (isInReducedFlow) return { settings, problems: ["require_sso"], switchedOn };
	const losesAddress = lacksAddress(settings, rules) && !lacksAddress(current, rules);
	const field = by === "partner" && "webhook_url" in sent ? "webhook_url" : "delivery_email";
	return { settings, problems: losesAddress ? [field] : [], switchedOn };
}

/** Decisions, "Delivery": ops refuse what would leave a partner so; one that is so already can be changed (0001). */
export function lacksAddress(settings: Settings, rules: Rules): boolean {
	return rules.b2bNeedsAddress && addressesOf(settings) === "missing";
}

/** As ops see them; a webhook that ops switched off does not count, one that answered 410 does. */
export function addressesOf({ mode, webhook_url, webhook_off, delivery_email }: Settings): string | null {
	const hasWebhook = webhook_url !== null && webhook_off?.by !== "ops";
	if (mode === "B2C") return null;
	if (delivery_email === null) return hasWebhook ? "webhook" : "missing";
	return hasWebhook ? "webhook_and_email" : "email";
}

/** Decisions, "full flow, what is checked". */
export function proofOf({ require_cedula_serie, require_sso }: Settings, rules: Rules): Proof {
	return require_cedula_serie === 1 ? "serialNumber" : rules.proofBySso[require_sso];
}

/** As `partners list` shows it. */
export function identityChecks(settings: Settings, rules: Rules): string[] {
	const proof = proofOf(settings, rules);
	return [
		...(proof === "serialNumber" ? ["card_serial"] : []),
		...(settings.validate_vencimiento ? ["card_expiry"] : []),
		...(settings.require_cedula_serie ? [] : ["names"]),
		...(proof === "ssoCredential" ? ["single_sign_on"] : []),
	];
}
