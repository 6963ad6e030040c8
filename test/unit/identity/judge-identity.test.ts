import { expect, test } from "vitest";
import type { PartnerSettings } from "../../../src/domain/partner-settings.ts";
import { type ClaimedIdentity, judgeIdentity } from "../../../src/identity/judge-identity.ts";
import type { RegisteredPerson, RegistryAnswer, SingleSignOnAnswer } from "../../../src/identity/ports.ts";

const PERSON: RegisteredPerson = {
	names: "JUANA ANDREA",
	fatherSurname: "PÉREZ",
	motherSurname: "SOTO",
	cardExpiry: "2031-05-20",
};
const CLAIMED = {
	rut: "11111111-1",
	names: "Juana Andrea",
	fatherSurname: "Perez",
	motherSurname: "Soto",
	cardExpiry: "2031-05-20",
};
const WRONG_NAME = { ...CLAIMED, names: "Hortensia" };
const WRONG_EXPIRY = { ...CLAIMED, cardExpiry: "2031-05-21" };

const VALID: RegistryAnswer = { kind: "found", person: PERSON };
const REFUSED: RegistryAnswer = { kind: "mismatch", reason: "card_expired" };
const REGISTRY_DOWN: RegistryAnswer = { kind: "unavailable", reason: "timeout", detail: "timeout" };
const SSO_OWN: SingleSignOnAnswer = { kind: "verified", rut: "11111111-1", subject: "1" };
const SSO_OTHER: SingleSignOnAnswer = { kind: "verified", rut: "22222222-2", subject: "2" };
const SSO_REJECTED: SingleSignOnAnswer = { kind: "rejected" };
const SSO_DOWN: SingleSignOnAnswer = { kind: "unavailable", reason: "status", detail: "http 500" };

/** Full flow with every check on, but for what a case says. */
function judge(
	claimed: Partial<ClaimedIdentity>,
	registry: RegistryAnswer,
	sso: SingleSignOnAnswer | null,
	settings: Partial<PartnerSettings> = {},
) {
	const checks = { requireCardSerial: false, requireSso: true, validateCardExpiry: true };
	const full = { ...checks, ...settings } as PartnerSettings;
	return judgeIdentity(full, { ...CLAIMED, ...claimed }, registry, sso);
}

const accepted = { kind: "accepted", person: PERSON };
const mismatch = (reason: string) => ({ kind: "mismatch", reason });

const EXPIRY = mismatch("expiration_date_mismatch");

test.each([
	["everything agrees", {}, VALID, SSO_OWN, accepted],
	["no credential was to be checked", {}, VALID, null, accepted],
	["the registry refuses", {}, REFUSED, SSO_OWN, mismatch("no_card_in_force")],
	["the registry refuses, single sign-on is down", {}, REFUSED, SSO_DOWN, mismatch("no_card_in_force")],
	["the expiry differs", WRONG_EXPIRY, VALID, SSO_OWN, EXPIRY],
	["the expiry differs, and the name", { ...WRONG_EXPIRY, names: "Hortensia" }, VALID, SSO_OWN, EXPIRY],
	["the expiry differs, single sign-on is down", WRONG_EXPIRY, VALID, SSO_DOWN, EXPIRY],
	["the expiry differs, single sign-on rejects", WRONG_EXPIRY, VALID, SSO_REJECTED, EXPIRY],
	["the name differs", WRONG_NAME, VALID, SSO_OWN, mismatch("name_mismatch")],
	["the name differs, single sign-on is down", WRONG_NAME, VALID, SSO_DOWN, mismatch("name_mismatch")],
	["the name differs, single sign-on rejects", WRONG_NAME, VALID, SSO_REJECTED, mismatch("name_mismatch")],
	["single sign-on rejects", {}, VALID, SSO_REJECTED, mismatch("sso_rejected")],
	["single sign-on knows another RUT", {}, VALID, SSO_OTHER, mismatch("sso_rejected")],
] as const)("§4.1 full flow: %s", (_, claimed, registry, sso, verdict) => {
	expect(judge(claimed, registry, sso)).toEqual(verdict);
});

const away = (upstream: string, detail: string) => ({ kind: "unavailable", upstream, detail });

test("an upstream that is away decides nothing, and is named: the registry first", () => {
	for (const sso of [SSO_REJECTED, SSO_DOWN])
		expect(judge({}, REGISTRY_DOWN, sso)).toEqual(away("registry", "timeout"));
	expect(judge({}, VALID, SSO_DOWN)).toEqual(away("single_sign_on", "http 500"));
});

test("§2.7: the expiry is compared with validate_vencimiento=1 only, the names in the full flow only", {
	tags: ["request-expiry-not-compared"],
}, () => {
	expect(judge(WRONG_EXPIRY, VALID, null, { validateCardExpiry: false })).toEqual(accepted);
	expect(judge({ cardExpiry: undefined }, VALID, null)).toEqual(EXPIRY);
	expect(judge(WRONG_NAME, VALID, null, { requireCardSerial: true })).toEqual(accepted);
});

test("a name that was not sent does not agree, but for the mother's surname, which is then not compared", () => {
	expect(judge({ names: undefined }, VALID, null)).toEqual(mismatch("name_mismatch"));
	expect(judge({ fatherSurname: undefined }, VALID, null)).toEqual(mismatch("name_mismatch"));
	expect(judge({ motherSurname: undefined }, VALID, null)).toEqual(accepted);
});
