import { expect, test } from "vitest";
import { admitOnboarding } from "../../../src/domain/admit-onboarding.ts";
import type { CodeFacts } from "../../../src/domain/code-facts.ts";
import { codeWith, NOW } from "./code-in-state.ts";

const ADDRESS = { webhookUrl: null, webhookOffAt: null, webhookOffBy: null, deliveryEmail: "a@b.example" };
const CANCELLED = codeWith({ cancelledAt: 1 });
const IN_B2B = [{ field: "claim", problem: "not_in_b2b" }];

/** Differences from a session for RUT a in B2B that nothing speaks against. */
interface Given {
	facts?: CodeFacts | null;
	deliveryEmail?: null;
	mode?: "B2B" | "B2C";
	claim?: boolean;
	rut?: undefined;
	/** The RUT that owns the e-mail. */
	owner?: string;
	issuable?: boolean;
}

test.each<[Given, object | null]>([
	[{}, null],
	[{ owner: "a" }, null],
	[{ owner: "b", rut: undefined }, null],
	[{ owner: "b" }, { reason: "email_in_use" }],
	[{ owner: "b", issuable: false }, { reason: "service_unavailable" }],
	[{ issuable: false, facts: CANCELLED }, { reason: "cancelled" }],
	[{ issuable: false, facts: null }, { reason: "not_found" }],
	[{ facts: null, deliveryEmail: null }, { reason: "delivery_address_missing" }],
	[
		{ deliveryEmail: null, claim: false },
		{ reason: "conditional_fields", problems: IN_B2B },
	],
	[{ deliveryEmail: null, claim: false, mode: "B2C" }, null],
])("of all that speaks against a session, the first is answered: with %j %j", (given, refusal) => {
	const { facts = codeWith(), mode = "B2B", owner = null, issuable = true, claim } = given;
	const partner = { ...ADDRESS, mode, ...("deliveryEmail" in given && { deliveryEmail: null }) };
	const rutIndex = "rut" in given ? given.rut : "a";
	const around = { busy: false, emailOwner: owner, rutLockedUntil: null, issuable, now: NOW };
	expect(admitOnboarding(facts, partner, { claim, rutIndex }, around)).toEqual(refusal);
});
