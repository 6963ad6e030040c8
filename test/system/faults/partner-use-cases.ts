import type { Settings } from "../../support/service.ts";
import { PICTURE } from "./expect-all-holds.ts";
import type { Fixture } from "./fixture.ts";
import { expectStatus, freshCode, freshName, type UseCase, WEBHOOK } from "./use-cases.ts";

const FULL = { serialNumber: undefined, fLastname: "Prueba", phone: "+56912345678" };
const keyed = (target: string) => ({ "Idempotency-Key": `matrix-${target}` });

/** What the full flow says in place of the card's number: names as the sandbox's load range has them. */
export function signedOnFields({ dni }: { dni: string }): Settings {
	return { ...FULL, names: `Titular ${dni.slice(0, -2)}`, ssoCredential: `sso-${dni}` };
}

function fullNames(fixture: Fixture, pCode: string): Settings {
	return signedOnFields(fixture.codes.get(pCode)!.holder);
}

export const PARTNER_CALLS: Record<string, UseCase> = {
	bulk: {
		success: 201,
		asks: true,
		inObject: false,
		ready: freshName,
		act: (fixture, partner) => fixture.call("bulk", () => partner.bulk(3), { partner }),
	},
	"bulk, idempotent": {
		success: 201,
		asks: true,
		inObject: false,
		ready: freshName,
		act: (fixture, partner, key) =>
			fixture.call("bulk", () => partner.bulk(3, "FV02", keyed(key)), { partner }),
		after: async (fixture, partner, key) => {
			const repeat = () => fixture.call("bulk", () => partner.bulk(3, "FV02", keyed(key)), { partner });
			const [first, second] = [await repeat(), await repeat()];
			return first.status === 201 && first.text === second.text ? [] : [`after: bulk again: ${second.text}`];
		},
	},
	list: {
		success: 200,
		asks: false,
		inObject: false,
		ready: freshCode,
		act: (fixture, partner) => fixture.call("list", () => partner.list("?status=sin_utilizar"), { partner }),
	},
	status: {
		success: 200,
		asks: false,
		inObject: false,
		ready: freshCode,
		act: (fixture, partner, pCode) =>
			fixture.call("status", () => partner.get(`/api/partners/v1/status?p_code=${pCode}`), { partner }),
	},
	"request, reduced": {
		success: 200,
		asks: true,
		inObject: true,
		ready: freshCode,
		act: (fixture, _, pCode) => fixture.request(pCode),
	},
	"request, full with single sign-on": {
		settings: { require_cedula_serie: 0 },
		success: 200,
		asks: true,
		inObject: true,
		ready: freshCode,
		act: (fixture, _, pCode) => fixture.request(pCode, fullNames(fixture, pCode)),
		after: (fixture, _, pCode) =>
			expectStatus(fixture.request(pCode, fullNames(fixture, pCode)), 200, "request, full, again"),
	},
	"request, B2B": {
		settings: { mode: "B2B", ...WEBHOOK },
		success: 200,
		asks: true,
		inObject: true,
		ready: freshCode,
		act: (fixture, _, pCode) => fixture.request(pCode, { partnerCopy: "copia@partner.example" }),
	},
	"request, wrong card": {
		success: 406,
		asks: true,
		inObject: true,
		ready: freshCode,
		act: (fixture, _, pCode) => fixture.request(pCode, { serialNumber: "999999999" }),
	},
	"request, pictures, idempotent": {
		success: 200,
		asks: true,
		inObject: true,
		ready: freshCode,
		act: (fixture, _, pCode) => fixture.request(pCode, { dniFront: PICTURE }, keyed(pCode)),
		after: (fixture, _, pCode) =>
			expectStatus(fixture.request(pCode, { dniFront: PICTURE }, keyed(pCode)), 200, "request again"),
	},
	claim: {
		success: 200,
		asks: true,
		inObject: true,
		ready: (fixture, partner) => fixture.validated(partner),
		act: (fixture, _, pCode) => fixture.claim(pCode),
	},
	"claim, idempotent": {
		success: 200,
		asks: true,
		inObject: true,
		ready: (fixture, partner) => fixture.validated(partner),
		act: (fixture, _, pCode) => fixture.claim(pCode, {}, keyed(pCode)),
		after: (fixture, _, pCode) => expectStatus(fixture.claim(pCode, {}, keyed(pCode)), 200, "claim again"),
	},
	"claim, wrong PIN": {
		success: 406,
		asks: true,
		inObject: true,
		ready: (fixture, partner) => fixture.validated(partner),
		act: (fixture, _, pCode) => fixture.claim(pCode, { pin: "0000" }),
	},
};
