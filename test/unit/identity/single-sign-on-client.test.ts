import { describe, expect, test } from "vitest";
import { createSingleSignOnClient } from "../../../src/identity/single-sign-on-client.ts";

const userinfo = {
	sub: "2",
	RolUnico: { numero: 12345678, DV: "5", tipo: "RUN" },
	name: { nombres: ["María", "José"], apellidos: ["Del Río", "O'Higgins"] },
};

/** A client of a service that always answers so, and the requests that it received. */
function serviceAnswering(answer: (request: Request) => Response | Promise<Response>) {
	const requests: Request[] = [];
	const fetcher = {
		async fetch(request: Request) {
			requests.push(request);
			return answer(request);
		},
	};
	const client = createSingleSignOnClient({ fetcher, baseUrl: "https://sso.test", timeoutMs: 20 });
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
	expect(request.method).toBe("GET");
	expect(request.url).toBe("https://sso.test/openid/userinfo");
	expect(request.redirect).toBe("manual");
	expect(request.headers.get("authorization")).toBe("Bearer abc.DEF-1_2~3+4/5==");
	expect(request.headers.get("accept")).toBe("application/json");
});

test.each(["https://sso.test/cl", "https://sso.test/cl/", "https://sso.test/cl//"])(
	"the address %s may end in slashes",
	async (baseUrl) => {
		const urls: string[] = [];
		const fetcher = {
			async fetch({ url }: Request) {
				urls.push(url);
				return Response.json(userinfo);
			},
		};
		await createSingleSignOnClient({ fetcher, baseUrl }).verify("token");
		expect(urls).toEqual(["https://sso.test/cl/openid/userinfo"]);
	},
);

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
		expect(await client.verify("token")).toEqual({
			kind: "unavailable",
			reason: "status",
			detail: `status ${status}`,
		});
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
		["null", null],
		["a list", [userinfo]],
		["no subject", withoutSub],
		["a blank subject", { ...userinfo, sub: "" }],
		["a number for a subject", { ...userinfo, sub: 2 }],
		["no RolUnico", { sub: "2", name: userinfo.name }],
		["no name", withoutName],
		["no given names", { ...userinfo, name: { ...userinfo.name, nombres: [] } }],
		["a number as text", role({ numero: "12345678" })],
		["a fractional number", role({ numero: 12345678.5 })],
		["a negative number", role({ numero: -1 })],
		["a number past eight digits", role({ numero: 123_456_789 })],
		["a check digit of two characters", role({ DV: "55" })],
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

	test("HTML", async () => {
		const { client } = serviceAnswering(
			() => new Response("<html>", { headers: { "content-type": "text/html" } }),
		);
		expect(await client.verify("token")).toMatchObject({ kind: "unavailable", reason: "format" });
	});
});

test("a failed connection is retried once and then makes the service unavailable", async () => {
	const { client, requests } = serviceAnswering(() => Promise.reject(new Error("refused")));
	expect(await client.verify("token")).toMatchObject({ kind: "unavailable", reason: "connection" });
	expect(requests).toHaveLength(2);
});

test("a service that never answers is unavailable after the deadline", async () => {
	const { client, requests } = serviceAnswering(() => new Promise(() => {}));
	expect(await client.verify("token")).toMatchObject({ kind: "unavailable", reason: "timeout" });
	expect(requests).toHaveLength(1);
});

test("no result contains the credential", async () => {
	const { client } = serviceAnswering((request) =>
		Response.json({ sub: "2", RolUnico: request.headers.get("authorization") }),
	);
	expect(JSON.stringify(await client.verify("s3cret"))).not.toContain("s3cret");
});
