import { expect, test } from "vitest";
import { attentionOf } from "../../../src/domain/attention.ts";
import { changeProblem, completeChange } from "../../../src/domain/change-settings.ts";
import {
	type DeliveryAddresses,
	deliveryAddress,
	lacksDeliveryAddress,
	pendingEmail,
} from "../../../src/domain/delivery-address.ts";
import { DEFAULT_SETTINGS } from "../../../src/domain/partner-settings.ts";
import { NOW } from "./code-in-state.ts";

/* Where a partner's certificates can go, what its settings may be, and what its console asks it to look at. */

const NONE: DeliveryAddresses = {
	mode: "B2B",
	webhookUrl: null,
	webhookOffAt: null,
	webhookOffBy: null,
	deliveryEmail: null,
};
const HOOK = { webhookUrl: "https://partner.example/hook" };
const EMAIL = { deliveryEmail: "a@partner.example" };

test.each([
	[{}, "missing"],
	[HOOK, "webhook"],
	[EMAIL, "email"],
	[{ ...HOOK, ...EMAIL }, "webhook_and_email"],
	[{ ...HOOK, webhookOffAt: 1, webhookOffBy: "ops" }, "missing"],
	[{ ...HOOK, ...EMAIL, webhookOffAt: 1, webhookOffBy: "ops" }, "email"],
	[{ ...HOOK, webhookOffAt: 1, webhookOffBy: "endpoint" }, "webhook"],
	[{ ...HOOK, webhookOffAt: null, webhookOffBy: "ops" }, "webhook"],
	[{ mode: "B2C" }, null],
] as const)("a partner with %j has the address %j", (settings, address) => {
	expect(deliveryAddress({ ...NONE, ...settings })).toBe(address);
	expect(lacksDeliveryAddress({ ...NONE, ...settings })).toBe(address === "missing");
});

test("an e-mail waits for its confirmation until its end", () => {
	const waiting = (until: number | null) =>
		pendingEmail({ deliveryEmailPending: "b@partner.example", deliveryEmailPendingUntil: until }, NOW);
	expect([NOW + 1, NOW, null].map(waiting)).toEqual(["b@partner.example", null, null]);
});

test("a partner is asked to look at nothing, or at all that needs it, the most urgent first", () => {
	const quiet = { tried: 3, arrived: 3, lastAt: NOW, lastOutcome: "delivered" };
	const partner = { ...NONE, ...HOOK, deliveryEmailPending: null, deliveryEmailPendingUntil: null };
	const nothing = { partner, webhook: quiet, dead: 0, codesEnding: 0, keysEnding: [] };
	expect(attentionOf(nothing, NOW)).toEqual([]);
	expect(attentionOf({ ...nothing, webhook: { ...quiet, lastAt: null, lastOutcome: null } }, NOW)).toEqual(
		[],
	);
	const failing = { ...quiet, arrived: 1, lastOutcome: "status_500" };
	expect(attentionOf({ ...nothing, webhook: failing }, NOW)).toEqual([
		{ kind: "webhook_failing", tried: 3, arrived: 1, at: NOW, outcome: "status_500" },
	]);
	expect(attentionOf({ ...nothing, webhook: { ...failing, lastOutcome: null } }, NOW)[0]).toMatchObject({
		outcome: "",
	});
	const email = { deliveryEmailPending: "b@partner.example", deliveryEmailPendingUntil: NOW + 1 };
	const off = { ...partner, ...email, webhookOffAt: 5, webhookOffBy: null };
	const keysEnding = [{ id: "key_1", label: "shop", endsAt: 9 }];
	expect(attentionOf({ partner: off, webhook: failing, dead: 2, codesEnding: 4, keysEnding }, NOW)).toEqual([
		{ kind: "webhook_off", at: 5, by: "ops" },
		{ kind: "deliveries_dead", n: 2 },
		{ kind: "codes_ending", n: 4 },
		{ kind: "key_ending", id: "key_1", label: "shop", at: 9 },
		{ kind: "email_waiting", address: "b@partner.example", at: NOW + 1 },
	]);
	const byEndpoint = { ...off, webhookOffBy: "endpoint" as const, deliveryEmailPendingUntil: NOW };
	expect(attentionOf({ ...nothing, partner: byEndpoint }, NOW)).toEqual([
		{ kind: "webhook_off", at: 5, by: "endpoint" },
	]);
	expect(
		attentionOf({ ...nothing, partner: { ...partner, webhookUrl: null }, webhook: failing }, NOW),
	).toEqual([{ kind: "no_address" }]);
});

const REDUCED = { requireCardSerial: true, requireSso: false };
const FULL = { requireCardSerial: false, requireSso: true };
/** The full flow without single sign-on. */
const UNSIGNED = { requireCardSerial: false, requireSso: false };
test.each([
	[REDUCED, { requireCardSerial: false }, { requireSso: true, requireCardSerial: false }],
	[
		REDUCED,
		{ requireCardSerial: false, requireSso: false },
		{ requireSerialWithSso: false, requireSso: false, requireCardSerial: false },
	],
	[REDUCED, { name: "N" }, { requireSerialWithSso: false, name: "N" }],
	[FULL, { name: "N" }, { name: "N" }],
	[FULL, { requireSso: false }, { requireSerialWithSso: false, requireSso: false }],
	[FULL, { requireSerialWithSso: false }, { requireSerialWithSso: false }],
	[UNSIGNED, { requireSso: true }, { requireSso: true }],
	[UNSIGNED, { name: "N" }, { requireSerialWithSso: false, name: "N" }],
	[UNSIGNED, { requireCardSerial: false }, { requireSerialWithSso: false, requireCardSerial: false }],
	[
		FULL,
		{ requireCardSerial: true },
		{ requireSerialWithSso: false, requireSso: false, requireCardSerial: true },
	],
	[FULL, { requireSerialWithSso: true }, { requireSerialWithSso: true }],
	[
		FULL,
		{ requireSso: false, requireSerialWithSso: true },
		{ requireSso: false, requireSerialWithSso: true },
	],
])("a change of %j by %j is %j", (current, sent, change) => {
	expect(completeChange(current, sent)).toEqual(change);
});

const BY_BOTH = { ...FULL, requireSerialWithSso: true };
const SWITCHED_OFF = { webhookOffAt: 1, webhookOffBy: "ops" } as const;
test.each([
	[{}, { requireSso: true }, "sso_in_reduced_flow"],
	[{}, { requireSerialWithSso: true }, "serial_without_sso"],
	[{}, FULL, null],
	[FULL, { requireSerialWithSso: true }, null],
	[FULL, { requireCardSerial: true, requireSso: true }, "sso_in_reduced_flow"],
	[BY_BOTH, { requireCardSerial: true, requireSso: false }, "serial_without_sso"],
	[BY_BOTH, { requireSso: false }, "serial_without_sso"],
	[{}, { mode: "B2B" }, "delivery_address_required"],
	[{}, { mode: "B2B", ...EMAIL }, null],
	[{ mode: "B2B" }, { name: "N" }, null],
	[{ mode: "B2B", ...EMAIL }, { deliveryEmail: null }, "delivery_address_required"],
	[{ mode: "B2B", ...HOOK }, SWITCHED_OFF, "delivery_address_required"],
	[{ mode: "B2B", ...HOOK, ...EMAIL }, { ...SWITCHED_OFF, deliveryEmail: null }, "delivery_address_required"],
	[{ mode: "B2B", ...HOOK, ...EMAIL }, SWITCHED_OFF, null],
	[{ mode: "B2B", ...HOOK, ...EMAIL }, { deliveryEmail: null }, null],
	[{ mode: "B2B", ...HOOK }, { mode: "B2C", webhookUrl: null }, null],
] as const)("of a partner with %j, the change %j has the problem %j", (settings, change, problem) => {
	const current = { ...DEFAULT_SETTINGS, ...NONE, name: "P", mode: "B2C" as const, ...settings };
	expect(changeProblem(current, change)).toBe(problem);
});
