import type { ProductCode } from "./products.ts";
import { DEFAULT_WEBHOOK_EVENTS, type Subscription } from "./webhook-events.ts";

/** §2.7 and onboarding's additions: every setting that changes the meaning of a partner's calls. */
export interface PartnerSettings {
	name: string;
	mode: "B2C" | "B2B";
	/** Reduced flow: the card's serial is asked for, names come from the registry. */
	requireCardSerial: boolean;
	/** The card's expiry, as the user typed it, is compared with the registry's. */
	validateCardExpiry: boolean;
	/** Full flow: the holder signs on. Without it the card's serial is asked for there too. */
	requireSso: boolean;
	/** The card's serial is asked for beside single sign-on; only where that is asked. */
	requireSerialWithSso: boolean;
	allowedProducts: readonly ProductCode[];
	pfxProfile: "modern" | "legacy";
	keyAlgorithm: "rsa-2048" | "ec-p256";
	/** Codes that may be created in 14 days, those less that read `emitido`. */
	maxCodes14Days: number;
	webhookUrl: string | null;
	/** Events that the webhook is subscribed to. */
	webhookEvents: readonly Subscription[];
	deliveryEmail: string | null;
	/** Holders get an e-mail before their certificate expires. */
	holderReminders: boolean;
	/** E-mails are written in it, unless the holder chose another one in the widget. */
	language: "es" | "en";
}

export const DEFAULT_SETTINGS: Omit<PartnerSettings, "name"> = {
	mode: "B2C",
	requireCardSerial: true,
	validateCardExpiry: false,
	requireSso: false,
	requireSerialWithSso: false,
	allowedProducts: ["FV00", "FV01", "FV02", "FV03"],
	pfxProfile: "modern",
	keyAlgorithm: "rsa-2048",
	maxCodes14Days: 100_000,
	webhookUrl: null,
	webhookEvents: DEFAULT_WEBHOOK_EVENTS,
	deliveryEmail: null,
	holderReminders: false,
	language: "es",
};

/** Stands for an address while a partner without one listens. */
export const LISTENER_URL = "listen:";

/** Whether a partner's `npm run listen` is connected. @param now - by the real clock */
export function isListening({ listeningUntil }: { listeningUntil: number | null }, now: number): boolean {
	return listeningUntil !== null && listeningUntil > now;
}

type Flow = Pick<PartnerSettings, "requireCardSerial" | "requireSso">;

/** Whether a validation asks for single sign-on (§1.7, §2.7). */
export function asksSingleSignOn({ requireCardSerial, requireSso }: Flow): boolean {
	return requireSso && !requireCardSerial;
}

/** Whether a validation asks for the card's serial: beside single sign-on only by its own setting. One not asked for is ignored. */
export function asksCardSerial(settings: Flow & Pick<PartnerSettings, "requireSerialWithSso">): boolean {
	return settings.requireSerialWithSso || !asksSingleSignOn(settings);
}

/** Checks of a validation besides the card being in force, for ops to see. */
export const IDENTITY_CHECKS = ["card_serial", "card_expiry", "names", "single_sign_on"] as const;

export function identityChecks(settings: PartnerSettings): (typeof IDENTITY_CHECKS)[number][] {
	const checks = {
		card_serial: asksCardSerial(settings),
		card_expiry: settings.validateCardExpiry,
		names: !settings.requireCardSerial,
		single_sign_on: asksSingleSignOn(settings),
	};
	return IDENTITY_CHECKS.filter((check) => checks[check]);
}
