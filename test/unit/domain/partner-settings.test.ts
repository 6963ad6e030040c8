import { expect, test } from "vitest";
import { DEFAULT_SETTINGS, identityChecks } from "../../../src/domain/partner-settings.ts";

test("§2.7 a partner of whom ops say nothing more: B2C, reduced flow, every product, no webhook", () => {
	expect(DEFAULT_SETTINGS).toEqual({
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
		webhookEvents: ["certificate.emitted"],
		deliveryEmail: null,
		holderReminders: false,
		language: "es",
	});
});

test.each([
	[{}, ["card_serial"]],
	[{ validateCardExpiry: true }, ["card_serial", "card_expiry"]],
	[{ requireSso: true }, ["card_serial"]],
	[{ requireCardSerial: false, requireSso: true }, ["names", "single_sign_on"]],
	[
		{ requireCardSerial: false, requireSso: true, requireSerialWithSso: true },
		["card_serial", "names", "single_sign_on"],
	],
	[{ requireCardSerial: false }, ["card_serial", "names"]],
] as const)('decision "full flow, what is checked": with %j a validation checks %j', (settings, checks) => {
	expect(identityChecks({ name: "Partner", ...DEFAULT_SETTINGS, ...settings })).toEqual(checks);
});
