import type { Settings } from "../../support/service.ts";
import { PICTURE } from "./expect-all-holds.ts";
import { expectStatus, freshCode, freshName, type UseCase, WEBHOOK } from "./use-cases.ts";
import type { World } from "./world.ts";

const FULL = { serialNumber: undefined, fLastname: "Prueba", phone: "+56912345678" };
const keyed = (target: string) => ({ "Idempotency-Key": `matrix-${target}` });

/** What the full flow says in place of the card's number: names as the sandbox's load range has them. */
export function signedOnFields({ dni }: { dni: string }): Settings {
	return { ...FULL, names: `Titular ${dni.slice(0, -2)}`, ssoCredential: `sso-${dni}` };
}

function fullNames(world: World, pCode: string): Settings {
	return signedOnFields(world.codes.get(pCode)!.holder);
}

export const PARTNER_CALLS: Record<string, UseCase> = {
	bulk: {
		success: 201,
		asks: true,
		inObject: false,
		ready: freshName,
		act: (world, partner) => world.call("bulk", () => partner.bulk(3), { partner }),
	},
	"bulk, idempotent": {
		success: 201,
		asks: true,
		inObject: false,
		ready: freshName,
		act: (world, partner, key) => world.call("bulk", () => partner.bulk(3, "FV02", keyed(key)), { partner }),
		after: async (world, partner, key) => {
			const repeat = () => world.call("bulk", () => partner.bulk(3, "FV02", keyed(key)), { partner });
			const [first, second] = [await repeat(), await repeat()];
			return first.status === 201 && first.text === second.text ? [] : [`after: bulk again: ${second.text}`];
		},
	},
	list: {
		success: 200,
		asks: false,
		inObject: false,
		ready: freshCode,
		act: (world, partner) => world.call("list", () => partner.list("?status=sin_utilizar"), { partner }),
	},
	status: {
		success: 200,
		asks: false,
		inObject: false,
		ready: freshCode,
		act: (world, partner, pCode) =>
			world.call("status", () => partner.get(`/api/partners/v1/status?p_code=${pCode}`), { partner }),
	},
	"request, reduced": {
		success: 200,
		asks: true,
		inObject: true,
		ready: freshCode,
		act: (world, _, pCode) => world.request(pCode),
	},
	"request, full with single sign-on": {
		settings: { require_cedula_serie: 0 },
		success: 200,
		asks: true,
		inObject: true,
		ready: freshCode,
		act: (world, _, pCode) => world.request(pCode, fullNames(world, pCode)),
		after: (world, _, pCode) =>
			expectStatus(world.request(pCode, fullNames(world, pCode)), 200, "request, full, again"),
	},
	"request, B2B": {
		settings: { mode: "B2B", ...WEBHOOK },
		success: 200,
		asks: true,
		inObject: true,
		ready: freshCode,
		act: (world, _, pCode) => world.request(pCode, { partnerCopy: "copia@partner.example" }),
	},
	"request, wrong card": {
		success: 406,
		asks: true,
		inObject: true,
		ready: freshCode,
		act: (world, _, pCode) => world.request(pCode, { serialNumber: "999999999" }),
	},
	"request, pictures, idempotent": {
		success: 200,
		asks: true,
		inObject: true,
		ready: freshCode,
		act: (world, _, pCode) => world.request(pCode, { dniFront: PICTURE }, keyed(pCode)),
		after: (world, _, pCode) =>
			expectStatus(world.request(pCode, { dniFront: PICTURE }, keyed(pCode)), 200, "request again"),
	},
	claim: {
		success: 200,
		asks: true,
		inObject: true,
		ready: (world, partner) => world.validated(partner),
		act: (world, _, pCode) => world.claim(pCode),
	},
	"claim, idempotent": {
		success: 200,
		asks: true,
		inObject: true,
		ready: (world, partner) => world.validated(partner),
		act: (world, _, pCode) => world.claim(pCode, {}, keyed(pCode)),
		after: (world, _, pCode) => expectStatus(world.claim(pCode, {}, keyed(pCode)), 200, "claim again"),
	},
	"claim, wrong PIN": {
		success: 406,
		asks: true,
		inObject: true,
		ready: (world, partner) => world.validated(partner),
		act: (world, _, pCode) => world.claim(pCode, { pin: "0000" }),
	},
};
