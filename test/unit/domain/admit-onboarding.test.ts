import { expect, test } from "vitest";
import { admitOnboarding } from "../../../src/domain/admit-onboarding.ts";
import type { CodeFacts } from "../../../src/domain/code-facts.ts";
import { codeWith, NOW } from "./code-in-state.ts";

const CANCELLED = codeWith({ cancelledAt: 1 });
const IN_B2B = [{ field: "claim", problem: "not_in_b2b" }];

interface Session {
	facts: CodeFacts | null;
	mode: "B2B" | "B2C";
	deliveryEmail: string | null;
	claim: boolean | undefined;
	rut: string | undefined;
	/** The RUT that owns the e-mail. */
	owner: string | null;
	issuable: boolean;
}
/** A session that nothing speaks against. */
const ADMITTED: Session = {
	facts: codeWith(),
	mode: "B2B",
	deliveryEmail: "a@b.example",
	claim: undefined,
	rut: "a",
	owner: null,
	issuable: true,
};

test.each<[Partial<Session>, object | null]>([
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
	const { facts, mode, deliveryEmail, claim, rut: rutIndex, owner, issuable } = { ...ADMITTED, ...given };
	const partner = { mode, deliveryEmail, webhookUrl: null, webhookOffAt: null, webhookOffBy: null };
	const around = { busy: false, emailOwner: owner, rutLockedUntil: null, issuable, now: NOW };
	expect(admitOnboarding(facts, partner, { claim, rutIndex }, around)).toEqual(refusal);
});
