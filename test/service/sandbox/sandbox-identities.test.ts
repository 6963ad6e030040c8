import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createCivilRegistryClient } from "../../../src/identity/civil-registry-client.ts";
import { answerIdentityCheck, CivilRegistrySandbox } from "../../../src/sandbox/civil-registry-sandbox.ts";
import { answerServer, SingleSignOnSandbox } from "../../../src/sandbox/single-sign-on-sandbox.ts";
import { singleSignOnOf } from "./single-sign-on.ts";

const registry = createCivilRegistryClient({
	fetcher: new CivilRegistrySandbox(createExecutionContext(), env),
	baseUrl: "https://registry.sandbox",
	token: null,
});
const singleSignOn = singleSignOnOf(new SingleSignOnSandbox(createExecutionContext(), env));

const validRows = [
	["11111111-1", "111111111", "2031-05-20", "JUANA ANDREA", "PÉREZ", "SOTO"],
	["22222222-2", "A222222222", "2030-01-31", "PEDRO PABLO", "MUÑOZ", "ÑANCUPIL"],
	["12345678-5", "B12345678", "2034-12-16", "MARÍA JOSÉ", "DEL RÍO", "O'HIGGINS"],
	["10000013-K", "100000013", "2032-02-29", "JOSÉ", "ROJAS", null],
	["5126663-3", "512666333", "2029-07-01", "ROSA ESTER", "SILVA", "TAPIA"],
	["20000000-5", "020000000", "2033-03-03", "TITULAR 20000000", "PRUEBA", "SANDBOX"],
	["20000004-8", "020000004", "2033-03-03", "TITULAR 20000004", "PRUEBA", "SANDBOX"],
] as const;

/** The check digit by the textbook's long form, so that the sandbox is not measured by itself. */
function rutOf(number: number): string {
	const weights = [3, 2, 7, 6, 5, 4, 3, 2];
	const sum = weights.reduce((total, weight, at) => total + weight * Number(String(number)[at]), 0);
	return `${number}-${"0K987654321"[sum % 11]}`;
}

describe("the sandbox registry", () => {
	test.each(validRows)(
		"confirms %s with card %s, refuses another, and knows its sign-on",
		async (rut, cardSerial, cardExpiry, names, father, mother) => {
			const person = { names, fatherSurname: father, motherSurname: mother, cardExpiry };
			expect(await registry.lookUp({ rut, cardSerial })).toEqual({ kind: "found", person });
			expect(await registry.lookUp({ rut, cardSerial: null })).toEqual({ kind: "found", person });
			expect(await registry.lookUp({ rut, cardSerial: "999999999" })).toEqual({
				kind: "mismatch",
				reason: "serial_mismatch",
			});
			expect(await singleSignOn.verify(`sso-${rut}`)).toEqual({
				kind: "verified",
				rut,
				subject: rut.split("-")[0],
			});
		},
	);

	test.each([
		["10000001-6", "100000001", "card_reported_lost"],
		["10000002-4", "100000002", "card_expired"],
		["10000003-2", "100000003", "holder_deceased"],
	])("refuses %s with card %s, and with none, as %s", async (rut, cardSerial, reason) => {
		expect(await registry.lookUp({ rut, cardSerial })).toEqual({ kind: "mismatch", reason });
		expect(await registry.lookUp({ rut, cardSerial: null })).toEqual({ kind: "mismatch", reason });
	});

	test("puts a wrong serial before the state of the card, and death before both", async () => {
		const cardSerial = "999999999";
		const lost = await registry.lookUp({ rut: "10000001-6", cardSerial });
		const deceased = await registry.lookUp({ rut: "10000003-2", cardSerial });
		expect(lost).toEqual({ kind: "mismatch", reason: "serial_mismatch" });
		expect(deceased).toEqual({ kind: "mismatch", reason: "holder_deceased" });
	});

	test.each(["9999999-3", "10000014-8", rutOf(19_999_999), rutOf(21_000_000), "20000000-6", "1-9"])(
		"does not know %s",
		async (rut) => {
			expect(await registry.lookUp({ rut, cardSerial: null })).toEqual({
				kind: "mismatch",
				reason: "not_found",
			});
		},
	);

	test("knows the load range from end to end, by the right check digit only", async () => {
		for (const number of [20_000_000, 20_000_001, 20_123_456, 20_500_005, 20_999_998, 20_999_999]) {
			const answer = await registry.lookUp({ rut: rutOf(number), cardSerial: `0${number}` });
			expect(answer).toMatchObject({ kind: "found", person: { names: `TITULAR ${number}` } });
		}
	});

	test("answers 503 for 10000005-9, and 200 with something else than its format for 10000007-5", async () => {
		for (const [rut, cardSerial, reason] of [
			["10000005-9", "100000005", "status"],
			["10000007-5", "100000007", "format"],
		] as const)
			expect(await registry.lookUp({ rut, cardSerial })).toMatchObject({ kind: "unavailable", reason });
	});
});

test("the sandbox registry turns away a call that is none", async () => {
	const url = "https://registry.sandbox/v1/identity-checks";
	const post = (body: string) => new Request(url, { method: "POST", body });
	for (const [status, request] of [
		[404, new Request("https://registry.sandbox/v1/other", { method: "POST" })],
		[405, new Request(url)],
		[400, post("rut=11111111-1")],
		[400, post('{"rut":"11.111.111-1","cardSerial":null}')],
		[400, post('{"rut":"11111111-1","cardSerial":"a222222222"}')],
		[400, post('{"rut":"11111111-1"}')],
		[400, post('{"rut":"11111111-1","cardSerial":null,"pin":"1234"}')],
	] as const)
		expect((await answerIdentityCheck(request)).status).toBe(status);
});

describe("the sandbox single sign-on", () => {
	test("names the person as ClaveÚnica does", async () => {
		const request = new Request("https://sso.sandbox/openid/userinfo", {
			headers: { authorization: "Bearer sso-12345678-5" },
		});
		expect(await (await answerServer(request, env)).json()).toEqual({
			sub: "12345678",
			RolUnico: { numero: 12345678, DV: "5", tipo: "RUN" },
			name: { nombres: ["MARÍA", "JOSÉ"], apellidos: ["DEL RÍO", "O'HIGGINS"] },
		});
	});

	test.each(["11111111-1", "sso-", "sso-9999999-3", "sso-11111111-2", "sso-11.111.111-1", "SSO-11111111-1"])(
		"rejects %s",
		async (credential) => {
			expect(await singleSignOn.verify(credential)).toEqual({ kind: "rejected" });
		},
	);

	test("asks for a bearer token, by GET or POST, at its own path, with a slash or without", async () => {
		const at = async (path: string, method = "POST") =>
			(await answerServer(new Request(`https://sso.sandbox${path}`, { method }), env)).status;
		expect(await at("/openid/userinfo")).toBe(401);
		expect(await at("/openid/userinfo/", "GET")).toBe(401);
		expect(await at("/openid/userinfo", "PUT")).toBe(405);
		expect(await at("/openid/token", "GET")).toBe(405);
		expect(await at("/openid/other")).toBe(404);
	});
});
