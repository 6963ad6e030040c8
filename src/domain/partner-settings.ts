import type { ProductCode } from "./products.ts";
import type { WebhookEvent } from "./webhook-events.ts";

/** §2.7 and what onboarding adds: everything that makes one partner's calls behave unlike another's. */
export interface PartnerSettings {
	name: string;
	mode: "B2C" | "B2B";
	/** Reduced flow: the card's serial is asked for, names come from the registry. */
	requireCardSerial: boolean;
	/** The card's expiry, as the user typed it, is compared with the registry's. */
	validateCardExpiry: boolean;
	/** Full flow refuses a request without a single-sign-on credential. */
	requireSso: boolean;
	allowedProducts: readonly ProductCode[];
	pfxProfile: "modern" | "legacy";
	keyAlgorithm: "rsa-2048" | "ec-p256";
	webhookUrl: string | null;
	/** The events that the webhook subscribes to. */
	webhookEvents: readonly WebhookEvent[];
	deliveryEmail: string | null;
}

export const DEFAULT_SETTINGS: Omit<PartnerSettings, "name"> = {
	mode: "B2C",
	requireCardSerial: true,
	validateCardExpiry: false,
	requireSso: false,
	allowedProducts: ["FV00", "FV01", "FV02", "FV03"],
	pfxProfile: "modern",
	keyAlgorithm: "rsa-2048",
	webhookUrl: null,
	webhookEvents: ["certificate.emitted"],
	deliveryEmail: null,
};
