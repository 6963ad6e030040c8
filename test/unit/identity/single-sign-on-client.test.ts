import { describe, expect, test } from "vitest";
import { challengeOf, createSingleSignOnClient } from "../../../src/identity/single-sign-on-client.ts";
import { readSignOnOptions, type SignOnOption } from "../../../src/identity/single-sign-on-settings.ts";

const userinfo = {
	sub: "2",
	RolUnico: { numero: 12345678, DV: "5", tipo: "RUN" },
	name: { nombres: ["María", "José"], apellidos: ["Del Río", "O'Higgins"] },
};

const REGISTERED = {
	serverUrl: "https://sso.test",
	browserUrl: "https://sso.test/cl",
	clientId: "us",
	clientSecret: "s3cret",
	redirectUri: "https://certificates.test/back",
	takes: new Set<SignOnOption>(),
};

/** A client of a service that always answers so, and the requests that it received. */
function serviceAnswering(
	answer: (request: Request) => Response | Promise<Response>,
	takes: readonly SignOnOption[] = [],
	serverUrl = REGISTERED.serverUrl,
) {
	const requests: Request[] = [];
	const fetcher = {
		async fetch(request: Request) {
			requests.push(request);
			return answer(request);
		},
	};
	const settings = { ...REGISTERED, serverUrl, takes: new Set(takes) };
	const client = createSingleSignOnClient({ ...settings, fetcher, timeoutMs: 20 });
	return { client, requests };
}

test("the credential is sent as a bearer token to the userinfo endpoint", async () => {
	const { client, requests } = serviceAnswering(() => Response.json(userinfo));
	expect(await client.verify("abc.DEF-1_2~3+4/5==")).toEqual({
		kind: "verified",
		rut: "12345678-5",
		subject: "2",
	});
	const request = requests[0]!;
	expect(request.method).toBe("POST");
	expect(request.url).toBe("https://sso.test/openid/userinfo");
	expect(request.redirect).toBe("manual");
	expect(request.headers.get("authorization")).toBe("Bearer abc.DEF-1_2~3+4/5==");
	expect(request.headers.get("accept")).toBe("application/json");
});

test("the longest credential that common servers take is sent", async () => {
	const { client, requests } = serviceAnswering(() => Response.json(userinfo));
	expect((await client.verify("a".repeat(8_000))).kind).toBe("verified");
	expect(requests).toHaveLength(1);
});

test("unknown members are ignored", async () => {
	const { client } = serviceAnswering(() =>
		Response.json({
			...userinfo,
			email: "maria@example.cl",
			RolUnico: { ...userinfo.RolUnico, nuevo: 1 },
			name: { ...userinfo.name, social: "María" },
		}),
	);
	expect((await client.verify("token")).kind).toBe("verified");
});

test("a check digit k becomes K", async () => {
	const { client } = serviceAnswering(() =>
		Response.json({ ...userinfo, RolUnico: { numero: 10000013, DV: "k", tipo: "RUN" } }),
	);
	expect(await client.verify("token")).toMatchObject({ kind: "verified", rut: "10000013-K" });
});

test.each([401, 403])("status %i rejects the credential", async (status) => {
	const { client, requests } = serviceAnswering(() => new Response("no", { status }));
	expect(await client.verify("token")).toEqual({ kind: "rejected" });
	expect(requests).toHaveLength(1);
});

test.each([204, 302, 400, 404, 405, 429, 500, 503])(
	"status %i makes the service unavailable",
	async (status) => {
		const { client, requests } = serviceAnswering(() => new Response(null, { status }));
		const detail = `status ${status}`;
		expect(await client.verify("token")).toEqual({ kind: "unavailable", reason: "status", detail });
		expect(requests).toHaveLength(1);
	},
);

test.each([
	[""],
	[" "],
	["two words"],
	["line\r\nX-Injected: 1"],
	["nul\u0000"],
	["ñandú"],
	['quoted"token'],
	["=="],
	["a".repeat(8_001)],
])("the credential %j is rejected without a call", async (credential) => {
	const { client, requests } = serviceAnswering(() => Response.json(userinfo));
	expect(await client.verify(credential)).toEqual({ kind: "rejected" });
	expect(requests).toHaveLength(0);
});

describe("a 200 that is not userinfo makes the service unavailable", () => {
	const { sub: _sub, ...withoutSub } = userinfo;
	const { name: _name, ...withoutName } = userinfo;
	const role = (change: object) => ({ ...userinfo, RolUnico: { ...userinfo.RolUnico, ...change } });

	test.each<[string, unknown]>([
		["a list", [userinfo]],
		["no subject", withoutSub],
		["a blank subject", { ...userinfo, sub: "" }],
		["a subject of 10 kB", { ...userinfo, sub: "s".repeat(10_000) }],
		["a number for a subject", { ...userinfo, sub: 2 }],
		["no RolUnico", { sub: "2", name: userinfo.name }],
		["no name", withoutName],
		["no given names", { ...userinfo, name: { ...userinfo.name, nombres: [] } }],
		["a number as text", role({ numero: "12345678" })],
		["a fractional number", role({ numero: 12345678.5 })],
		["a negative number", role({ numero: -1 })],
		["a number past eight digits", role({ numero: 123_456_789 })],
		["a check digit that is a number", role({ DV: 5 })],
		["an identity that is not a RUN", role({ tipo: "RUT" })],
	])("%s", async (_, answer) => {
		const { client } = serviceAnswering(() => Response.json(answer));
		expect(await client.verify("token")).toMatchObject({ kind: "unavailable", reason: "format" });
	});

	test.each([
		[null, "userinfo is not ClaveÚnica's at the top level"],
		[role({ DV: "55" }), "userinfo is not ClaveÚnica's at RolUnico.DV"],
	])("the detail for the log says where: %j", async (answer, detail) => {
		const { client } = serviceAnswering(() => Response.json(answer));
		expect(await client.verify("token")).toEqual({ kind: "unavailable", reason: "format", detail });
	});
});

test("no result contains the credential", async () => {
	const { client } = serviceAnswering((request) =>
		Response.json({ sub: "2", RolUnico: request.headers.get("authorization") }),
	);
	expect(JSON.stringify(await client.verify("s3cret"))).not.toContain("s3cret");
});

describe("sign-on by authorization code", () => {
	const SECRETS = { nonce: null, codeVerifier: null };
	const encode = (part: object) =>
		new TextEncoder().encode(JSON.stringify(part)).toBase64({ alphabet: "base64url", omitPadding: true });
	const idToken = (claims: object) => `${encode({ alg: "RS256" })}.${encode(claims)}.c2ln`;
	const granted = { access_token: "tok-1", token_type: "bearer", expires_in: 3600 };
	/** Answers the token endpoint so, and userinfo well. */
	const provider = (token: unknown, takes: readonly SignOnOption[] = []) =>
		serviceAnswering(({ url }) => {
			if (!/token\/?$/.test(url)) return Response.json(userinfo);
			return token instanceof Response ? token.clone() : Response.json(token);
		}, takes);

	test("begins with the client, the return address, the scopes and the state", async () => {
		const { client } = provider(granted);
		const { query, secrets } = await client.begin("os_1.abc");
		expect(client.authorizeUrl).toBe("https://sso.test/cl/openid/authorize");
		expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
			response_type: "code",
			client_id: "us",
			redirect_uri: "https://certificates.test/back",
			scope: "openid run name",
			state: "os_1.abc",
		});
		expect(secrets).toEqual(SECRETS);
	});

	test("nonce, PKCE and a slash where the provider takes them, fresh each time", async () => {
		const { client } = provider(granted, ["nonce", "pkce", "slash"]);
		const [first, second] = [await client.begin("s"), await client.begin("s")];
		expect(client.authorizeUrl).toBe("https://sso.test/cl/openid/authorize/");
		const query = new URLSearchParams(first.query);
		expect(query.get("nonce")).toBe(first.secrets.nonce);
		expect(query.get("code_challenge_method")).toBe("S256");
		expect(query.get("code_challenge")).toBe(await challengeOf(first.secrets.codeVerifier!));
		expect(first.query).not.toContain(first.secrets.codeVerifier!);
		const all = [first, second].flatMap(({ secrets }) => Object.values(secrets));
		expect(new Set(all).size).toBe(4);
		for (const secret of all) expect(secret).toMatch(/^[\w-]{43}$/);
	});

	test("RFC 7636 App. B: the challenge of its verifier", async () => {
		expect(await challengeOf("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")).toBe(
			"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
		);
	});

	test("the code is exchanged with the client's secret, then userinfo says whose credential it is", async () => {
		const { client, requests } = provider(granted);
		expect(await client.finish("c0de", "st", SECRETS)).toEqual({
			kind: "verified",
			rut: "12345678-5",
			subject: "2",
			credential: "tok-1",
			validForMs: 3_600_000,
		});
		const [token, info] = requests as [Request, Request];
		expect([token.method, token.url]).toEqual(["POST", "https://sso.test/openid/token"]);
		expect(token.headers.get("content-type")).toMatch(/^application\/x-www-form-urlencoded/);
		expect(Object.fromEntries(new URLSearchParams(await token.text()))).toEqual({
			grant_type: "authorization_code",
			client_id: "us",
			client_secret: "s3cret",
			redirect_uri: "https://certificates.test/back",
			code: "c0de",
			state: "st",
		});
		expect(info.headers.get("authorization")).toBe("Bearer tok-1");
	});

	test("the verifier goes with the code, and a slash ends each path", async () => {
		const { client, requests } = provider(granted, ["pkce", "slash"]);
		await client.finish("c", "s", { nonce: null, codeVerifier: "verifier" });
		expect(requests.map(({ url }) => url)).toEqual([
			"https://sso.test/openid/token/",
			"https://sso.test/openid/userinfo/",
		]);
		expect(new URLSearchParams(await requests[0]!.text()).get("code_verifier")).toBe("verifier");
	});

	const withNonce = { nonce: "n-1", codeVerifier: null };
	const claims = { sub: "2", aud: "us", nonce: "n-1" };

	test.each([claims, { ...claims, aud: ["another", "us"] }])(
		"an ID token of this nonce, this client and userinfo's subject is taken: %j",
		async (claims) => {
			const { client } = provider({ ...granted, id_token: idToken(claims) });
			expect(await client.finish("c", "s", withNonce)).toMatchObject({ kind: "verified" });
		},
	);

	test.each<[string, object]>([
		["no ID token", {}],
		["rubbish for an ID token", { id_token: "a.b" }],
		["another nonce", { id_token: idToken({ ...claims, nonce: "n-2" }) }],
		["no nonce", { id_token: idToken({ sub: "2", aud: "us" }) }],
		["another client", { id_token: idToken({ ...claims, aud: "another" }) }],
		["another subject than userinfo's", { id_token: idToken({ ...claims, sub: "3" }) }],
		["a credential that no header can carry", { access_token: "two words" }],
		["another kind of token", { token_type: "mac" }],
		["no credential", { access_token: undefined }],
	])("with a nonce, %s: unavailable", async (_, change) => {
		const good = { ...granted, id_token: idToken(claims) };
		const { client } = provider(_ === "no ID token" ? granted : { ...good, ...change });
		expect(await client.finish("c", "s", withNonce)).toMatchObject({ kind: "unavailable", reason: "format" });
	});

	test("400 rejects the code; any other status is an outage, a wrong secret too", async () => {
		const answered = async (status: number) =>
			(await provider(new Response(null, { status })).client.finish("c", "s", SECRETS)).kind;
		expect(await answered(400)).toBe("rejected");
		for (const status of [302, 401, 403, 429, 500, 503]) expect(await answered(status)).toBe("unavailable");
	});

	test("nothing that is logged contains the code, the secret or the credential", async () => {
		const { client } = provider({ access_token: "two words of tok-1" });
		const answer = JSON.stringify(await client.finish("c0de", "s", withNonce));
		for (const secret of ["c0de", "s3cret", "tok-1"]) expect(answer).not.toContain(secret);
	});
});

test("options of the provider: nonce, pkce, slash, in any order, none twice, and no other", () => {
	expect([...readSignOnOptions(" pkce, nonce")!]).toEqual(["nonce", "pkce"]);
	expect([...readSignOnOptions("")!]).toEqual([]);
	for (const text of ["PKCE", "nonce,nonce", "nonce pkce", "nonce,other"])
		expect(readSignOnOptions(text)).toBeNull();
});
