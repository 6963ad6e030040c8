import type { Answer, Settings } from "../../support/service.ts";
import { PICTURE } from "./expect-all-holds.ts";
import type { Fixture } from "./fixture.ts";
import { again, freshCode, freshName, type UseCase, validated, WEBHOOK } from "./use-cases.ts";

const FULL = { serialNumber: undefined, fLastname: "Prueba", phone: "+56912345678" };
const keyed = (target: string) => ({ "Idempotency-Key": `matrix-${target}` });

/** Fields of the full flow in place of the card's number: names as the sandbox's load range has them. */
function fullNames(fixture: Fixture, pCode: string): Settings {
	const { dni } = fixture.codes.get(pCode)!.holder;
	return { ...FULL, names: `Titular ${dni.slice(0, -2)}`, ssoCredential: `sso-${dni}` };
}

const bulk =
	(productCode: string, keyed: (target: string) => Record<string, string>): UseCase["act"] =>
	(fixture, partner, target) =>
		fixture.call("bulk", () => partner.bulk(3, productCode, keyed(target)), { partner });
const keyedBulk = bulk("FV02", keyed);
const request =
	(fields: (fixture: Fixture, pCode: string) => Settings = () => ({})): UseCase["act"] =>
	(fixture, _, pCode) =>
		fixture.request(pCode, fields(fixture, pCode));
const keyedRequest: UseCase["act"] = (fixture, _, pCode) =>
	fixture.request(pCode, { dniFront: PICTURE }, keyed(pCode));
const claim =
	(fields = {}, headers: (target: string) => Record<string, string> = () => ({})): UseCase["act"] =>
	(fixture, _, pCode) =>
		fixture.claim(pCode, fields, headers(pCode));
/** A step in a code's object, whose commit it asks for. */
const STEP = { success: 200, asks: true, inObject: true };
const requested = { ...STEP, ready: freshCode };
const claimed = { ...STEP, ready: validated };

export const PARTNER_CALLS: Record<string, UseCase> = {
	bulk: { success: 201, asks: true, ready: freshName, act: bulk("FV01", () => ({})) },
	"bulk, idempotent": {
		success: 201,
		asks: true,
		ready: freshName,
		act: keyedBulk,
		after: async (fixture, partner, key) => {
			const repeat = () => keyedBulk(fixture, partner, key) as Promise<Answer>;
			const [first, second] = [await repeat(), await repeat()];
			return first.status === 201 && first.text === second.text ? [] : [`after: bulk again: ${second.text}`];
		},
	},
	list: {
		success: 200,
		ready: freshCode,
		act: (fixture, partner) => fixture.call("list", () => partner.list("?status=sin_utilizar"), { partner }),
	},
	status: {
		success: 200,
		ready: freshCode,
		act: (fixture, partner, pCode) =>
			fixture.call("status", () => partner.get(`/api/partners/v1/status?p_code=${pCode}`), { partner }),
	},
	"request, reduced": { ...requested, act: request() },
	"request, full with single sign-on": {
		...requested,
		settings: { require_cedula_serie: 0 },
		act: request(fullNames),
		after: again(request(fullNames)),
	},
	"request, B2B": {
		...requested,
		settings: { mode: "B2B", ...WEBHOOK },
		act: request(() => ({ partnerCopy: "copia@partner.example" })),
	},
	"request, wrong card": { ...requested, success: 406, act: request(() => ({ serialNumber: "999999999" })) },
	"request, pictures, idempotent": { ...requested, act: keyedRequest, after: again(keyedRequest) },
	claim: { ...claimed, act: claim() },
	"claim, idempotent": { ...claimed, act: claim({}, keyed), after: again(claim({}, keyed)) },
	"claim, wrong PIN": { ...claimed, success: 406, act: claim({ pin: "0000" }) },
};
