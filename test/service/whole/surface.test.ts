import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Bindings } from "../../../src/bindings.ts";
import { forgetKeys } from "../../../src/db/api-keys.ts";
import { preferredLanguage } from "../../../src/texts/language.ts";
import { stopClock } from "../../support/clock.ts";
import { activeCode } from "../../support/codes.ts";
import { authority } from "../../support/pki.ts";
import { byTurns } from "../../support/run-size.ts";
import { type Answer, call, callWith, freshService, JUANA, ops, Partner } from "../../support/service.ts";
import { mountedRoutes, PARTNER_ROUTES } from "./partner-routes.ts";

/** A good one, for calls that take nothing of a rate. */
let goodKey: string;

beforeAll(async () => {
	await freshService();
	goodKey = (await Partner.create()).key;
});

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const ALLOWED = allowedMethods();

/** A binding with a bug: it throws before it returns a promise. */
const BUG = {
	limit: () => {
		throw new TypeError("inner text");
	},
};

test("404: an unknown route, with a key and without, with any method, one and the same body", {
	tags: ["error-404-route"],
}, async () => {
	const near = ["/", "/nothing", "/api", "/api/partners/v1", "/api/partners/v1/", "/api/partners/v1/status/"];
	const wrong = [
		"/api/partners/v2/status?p_code=x",
		"/api/partners/v1/pcodes",
		"/api/partner/v1/status?p_code=x",
	];
	const spelt = ["/api/partners/v1//status", "/API/partners/v1/status", "/api/partners/v1/%73tatus%2f"];
	const odd = ["/%", "/%zz", "/%00", "/..%2f..%2fetc/passwd", `/${"x".repeat(8000)}`, "/.env", "/.dev.vars"];
	const others = [
		"//api/partner/v1/pcodes",
		"/ops",
		"/ops/v1",
		"/ops/v1/audit/nothing/here",
		"/pki/nothing.cer",
	];
	const { text } = await call("GET", "/nothing");
	const ways = [
		(path: string) => call("GET", path),
		(path: string) => call("GET", path, { headers: { "x-gw": goodKey } }),
		(path: string) => call("POST", path, { headers: { "content-type": "application/json" }, body: "{}" }),
		(path: string) => call("DELETE", path),
	];
	for (const [i, path] of [...near, ...wrong, ...spelt, ...odd, ...others].entries())
		for (const ask of byTurns(ways, 4, i)) {
			const answer = await ask(path);
			expect([path, answer.status, answer.text]).toEqual([path, 404, text]);
			expect(answer.body).toEqual({ success: false, error: "NOT_FOUND", message: expect.any(String) });
		}
});

describe("a person's browser", () => {
	const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
	const open = (path: string, accept = BROWSER) =>
		call("GET", path, { headers: { accept, "accept-language": "es-CL" } });

	test.for([
		["/", 200, "Certificados de firma electrónica"],
		["/?lang=en", 200, "Digital-signature certificates"],
		["/nothing", 404, "No encontramos esta página"],
		["/docs/es/nothing", 404, "No encontramos esta página"],
		["/console/nothing", 404, "No encontramos esta página"],
		["/ops", 404, "No encontramos esta página"],
	] as const)("gets %s as a page with the three doors: %d", async ([path, expected, title]) => {
		const { status, text, headers } = await open(path);
		expect([status, headers.get("content-type")]).toEqual([expected, "text/html; charset=UTF-8"]);
		expect(text).toContain(`<h1>${title}</h1>`);
		expect(headers.get("content-security-policy")).toContain("default-src 'none'");
		const doors = Array.from(text.matchAll(/<main.*<\/main>/gs), ([main]) => [
			...main.matchAll(/href="([^"]+)"/g),
		]).flat();
		const language = path.endsWith("en") ? "en" : "es";
		expect(doors.map(([, href]) => href)).toEqual([
			`/instalar?lang=${language}`,
			`/revocar?lang=${language}`,
			`/docs/${language}/`,
			"/console",
			"/ops/console",
		]);
	});

	test("gets JSON of what programs call, for a form sent to nowhere, and where it refuses HTML", async () => {
		const programs = ["/api", "/api/partners/v1/nothing", "/ops/v1/nothing", "/pki/nothing.cer"];
		for (const { status, body } of [
			...(await Promise.all([...programs, "/widget/nothing"].map((path) => open(path)))),
			await open("/", "text/html;q=0, */*"),
			await call("POST", "/", { headers: { accept: BROWSER } }),
		])
			expect([status, body.error]).toEqual([404, "NOT_FOUND"]);
	});
});

/** There a refusal is a page. */
const CONSOLE = /^(\/ops)?\/console\b/;

describe("405 METHOD_NOT_ALLOWED carries Allow, on every path", { tags: ["error-405"] }, () => {
	test.for(Array.from(ALLOWED, (one, i) => [...one, i] as const))("%s", async ([path, allowed, i]) => {
		for (const method of byTurns(
			METHODS.filter((candidate) => !allowed.includes(candidate)),
			5,
			i,
		)) {
			const { status, headers, body } = await call(method, concrete(path));
			expect([method, status, headers.get("allow")]).toEqual([method, 405, allowed.toSorted().join(", ")]);
			if (method !== "HEAD" && !CONSOLE.test(path))
				expect([method, body]).toEqual([
					method,
					{ success: false, error: "METHOD_NOT_ALLOWED", message: expect.any(String) },
				]);
		}
		for (const method of allowed) {
			const { status } = await call(
				method,
				concrete(path),
				method === "GET" || method === "HEAD" ? {} : { body: "{}" },
			);
			expect([method, status]).not.toEqual([method, 405]);
		}
	});

	test('decision "Order of checks": the method is checked before the key, the body and its size', {
		tags: ["order-method-first"],
	}, async () => {
		const huge = { headers: { "content-length": "99999999" }, body: "x".repeat(20_000) };
		expect((await call("PUT", "/api/partner/v1/pcode/bulk", huge)).status).toBe(405);
		expect((await call("POST", "/nothing", huge)).status).toBe(404);
	});
});

test("HEAD is GET without a body", async () => {
	const headers = { "x-gw": goodKey, "x-request-id": "the-same" };
	for (const path of ["/healthz", "/openapi.json", "/pki/root.cer", "/api/partner/v1/pcodes", "/nothing"]) {
		const [head, get] = [await call("HEAD", path, { headers }), await call("GET", path, { headers })];
		expect([path, head.status, head.text]).toEqual([path, get.status, ""]);
		for (const name of ["content-type", "cache-control"])
			expect([path, head.headers.get(name)]).toEqual([path, get.headers.get(name)]);
	}
});

const BULK = "/api/partner/v1/pcode/bulk";

describe("every answer, whatever its status", { tags: ["error-body", "answer-headers", "error-500"] }, () => {
	type Sample = () => Promise<Answer>;
	/** One answer of each kind; `data` marks those that bear a partner's or ops' data. */
	const SAMPLES: [number, string, Sample][] = [
		[200, "healthz", () => call("GET", "/healthz")],
		[200, "readyz", () => call("GET", "/readyz")],
		[200, "openapi.json", () => call("GET", "/openapi.json")],
		[200, "status", async () => (await Partner.create()).get("/api/partners/v1/status?p_code=0")],
		[200, "pcodes", async () => (await Partner.create()).list()],
		[201, "bulk", async () => (await Partner.create()).bulk()],
		[200, "ops list", () => ops("GET", "/partners")],
		[201, "ops create", () => ops("POST", "/partners", { name: "Sample" })],
		[400, "a bad query", async () => (await Partner.create()).list("?page=0")],
		[400, "broken JSON", async () => (await Partner.create()).post(BULK, "{")],
		[401, "no key", () => call("GET", "/api/partner/v1/pcodes")],
		[403, "product", async () => (await Partner.create({ allowed_products: [] })).bulk()],
		[404, "no route", () => call("GET", "/nothing")],
		[404, "no partner", () => ops("GET", "/partners/nobody")],
		[405, "method", () => call("DELETE", "/api/partner/v1/pcodes")],
		[406, "business", requestWithoutSerial],
		[413, "too large", async () => (await Partner.create()).post(BULK, " ".repeat(16_385))],
		[
			415,
			"media type",
			async () => (await Partner.create()).post(BULK, {}, { "content-type": "text/plain" }),
		],
		[423, "cancelled", requestOfCancelled],
		[429, "rate", tooManyRequests],
		[500, "a bug", () => callOther({ CALL_RATE: BUG })],
		[503, "no D1", () => callOther({ DB: failingDatabase() })],
		[503, "settings", () => callOther({ INDEX_KEY: "" })],
	];

	test.for(SAMPLES)("%i, %s", async ([status, what, sample]) => {
		vi.spyOn(console, "error").mockImplementation(() => {});
		const answer = await sample();
		expect(answer.status).toBe(status);
		const { headers, body, text } = answer;

		expect(headers.get("content-type")).toMatch(/^application\/json(;|$)/);
		if (what === "openapi.json") return;
		expect(body.success).toBe(status < 300);
		if (status >= 400) {
			const { details: _, ...fields } = body;
			const expected = { success: false, error: expect.any(String), message: expect.stringMatching(/\S/) };
			expect(Object.entries(fields)).toEqual(Object.entries(expected));
		}
		for (const detail of body.details ?? [])
			expect(["field", "code", "message"]).toEqual(expect.arrayContaining(Object.keys(detail)));
		expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
		expect(headers.get("x-content-type-options")).toBe("nosniff");
		expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d{7,}/);
		expect(headers.get("x-frame-options")).toBe("SAMEORIGIN");
		expect(headers.get("referrer-policy")).toBe("no-referrer");
		expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
		expect(headers.get("x-powered-by")).toBeNull();
		if (!["healthz", "readyz"].includes(what)) expect(headers.get("cache-control")).toBe("no-store");
		if (status === 503) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
		if (status === 500) expect(body.error).toBe("INTERNAL_ERROR");
		expect(text).not.toContain("inner text");
	});

	test("validation never echoes what was sent", { tags: ["error-no-echo"] }, async () => {
		const partner = await Partner.create();
		const answer = await partner.request({
			pCode: 7777777,
			referenceId: "\u0007-secret-reference",
			dni: "98765432-secret",
			email: "secret e-mail",
			pin: "secret-pin-12345",
			ssoCredential: "secret token",
			phone: "secret phone",
			serialNumber: "secret serial",
			fechaVencimiento: "secret",
		});
		expect(answer.status).toBe(400);
		expect(answer.body.details).toHaveLength(9);
		expect(answer.text).not.toMatch(/secret|7777777|98765432|12345[^6]/);
	});
});

test("x-request-id: the caller's own, when it sends a sane one; else each call's another", {
	tags: ["request-id"],
}, async () => {
	const idOf = async (id: string) =>
		(await call("GET", "/nothing", { headers: { "x-request-id": id } })).headers.get("x-request-id");
	for (const id of ["order-1001", "5f2b8a52-6a0e-4e0b-9f5e-0d6f0c1b7a11", "A_b=9", "x".repeat(255)])
		expect(await idOf(id)).toBe(id);
	const bad = ["", " ", "two words", "a,b", "<script>", "ñ", "x".repeat(256), "a/b", "a;b"];
	const made = await Promise.all(bad.map(idOf));
	for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
	expect(new Set(made).size).toBe(bad.length);
});

describe("messages are English, or Spanish when Accept-Language prefers it; codes never change", () => {
	test("as Accept-Language prefers", { tags: ["language"] }, () => {
		for (const header of ["ES", "es-CL", "es-CL,es;q=0.9,en;q=0.8", "fr-FR, es;q=0.2", "es;q=high"])
			expect([header, preferredLanguage(header)]).toEqual([header, "es"]);
		expect(preferredLanguage("es ; q=0.3, en ; q=0.2")).toBe("es");
		for (const header of [undefined, "es;q=0, en;q=0", "est"])
			expect([header, preferredLanguage(header)]).toEqual([header, "en"]);
	});

	test("refusals in both languages have one status, error, fields and codes, but other words", {
		tags: ["language-same-codes"],
	}, async () => {
		const { partner, pCode } = await activeCode();
		const calls: ((headers: Record<string, string>) => Promise<Answer>)[] = [
			(headers) => call("GET", "/nothing", { headers }),
			(headers) => call("PUT", "/healthz", { headers }),
			(headers) => call("GET", "/api/partner/v1/pcodes", { headers }),
			(headers) => partner.get("/api/partner/v1/pcodes?page=0&status=x&y=1", headers),
			(headers) => partner.post("/api/partner/v1/pcode/bulk", "{", headers),
			(headers) => partner.post("/api/partner/v1/pcode/bulk", " ".repeat(16_385), headers),
			(headers) =>
				partner.post("/api/partner/v1/pcode/bulk", {}, { "content-type": "text/plain", ...headers }),
			(headers) => partner.request({ pCode: "0000-1111-2222-3333", ...JUANA, names: "Juana" }, headers),
			(headers) => partner.claim("0000-1111-2222-3333", {}, headers),
			(headers) => partner.request({ pCode, ...JUANA, serialNumber: undefined }, headers),
		];
		for (const send of calls) {
			const [english, spanish] = [await send({}), await send({ "accept-language": "es-CL" })];
			expect(spanish.status).toBe(english.status);
			expect(codesOf(spanish)).toEqual(codesOf(english));
			if (english.status !== 405) expect(spanish.body.message).not.toBe(english.body.message);
			for (const [i, detail] of (english.body.details ?? []).entries())
				expect(spanish.body.details[i].message).not.toBe(detail.message);
		}
	});
});

describe("§8 limits, and the RateLimit fields on every answer of a limited endpoint", () => {
	/** Calls with limits of their own. */
	const OWN_LIMITS: Record<string, [policy: string, quota: number]> = {
		"/api/partners/v1/certificate_request": ["emission", 10],
		"/api/partner/v1/pcode/bulk": ["bulk", 30],
		"/api/partner/v1/export": ["bulk", 30],
		"/api/partners/v1/onboarding_sessions": ["sessions", 60],
	};

	test("the policy and what is left, on successes and refusals of every route alike", {
		tags: ["rate-limit-fields"],
	}, async () => {
		stopClock();
		const key = await (await Partner.create()).manageKey();
		const left: Record<string, number> = {};
		for (const { method, template, path, query = "", body } of PARTNER_ROUTES) {
			const [policy, quota] = OWN_LIMITS[template] ?? ["calls", 600];
			for (const sent of body ? [JSON.stringify(body), "{}", "{", "text"] : [undefined, undefined]) {
				const type = sent === "text" ? "text/plain" : "application/json";
				const { headers } = await call(method, path + query, {
					headers: { "x-gw": key, ...(sent && { "content-type": type }) },
					...(sent && { body: sent }),
				});
				left[policy] = (left[policy] ?? quota) - 1;
				expect([method, template, headers.get("ratelimit-policy"), headers.get("ratelimit")]).toEqual([
					method,
					template,
					`"${policy}";q=${quota};w=60`,
					expect.stringMatching(new RegExp(`^"${policy}";r=${left[policy]};t=([1-9]|[1-5]\\d|60)$`)),
				]);
			}
		}
	});

	test('decision "other endpoints\' rate": one count a partner over all of them together, then 429', {
		tags: ["rate-other-endpoints"],
	}, async () => {
		const keys: string[] = [];
		const few = {
			CALL_RATE: { limit: async ({ key }: { key: string }) => ({ success: keys.push(key) <= 3 }) },
		};
		const { id, key } = await Partner.create();
		const headers = { "x-gw": key, "content-type": "application/json" };
		const body = JSON.stringify({ p_code: "0000-1111-2222-3333", dni: JUANA.dni, pin: JUANA.pin });
		const answers: Answer[] = [];
		for (let i = 0; i < 2; i++)
			answers.push(
				await callWith(few, "GET", "/api/partner/v1/pcodes", { headers }),
				await callWith(few, "GET", "/api/partners/v1/status?p_code=0", { headers }),
				await callWith(few, "POST", "/api/partners/v1/certificate_claim", { headers, body }),
			);
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 429, 429, 429]);
		expect(keys).toEqual(Array(6).fill(keys[0]));
		expect(keys[0]).toContain(id);
		for (const { body, headers } of answers.slice(3)) {
			expect(body.error).toBe("RATE_LIMIT_EXCEEDED");
			expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
			expect(headers.get("ratelimit")).toMatch(/^"calls";r=0;t=\d+$/);
		}
	});
});

describe("/healthz, /readyz and settings that must not be served with", () => {
	test("sound settings and D1: alive and ready", async () => {
		expect((await call("GET", "/healthz")).body).toEqual({ success: true, data: { status: "alive" } });
		expect((await call("GET", "/readyz")).body).toEqual({ success: true, data: { status: "ready" } });
	});

	const BROKEN: [string, Partial<Record<keyof Bindings, unknown>>][] = [
		["INDEX_KEY", { INDEX_KEY: "c2hvcnQtc2VjcmV0LXZhbHVl" }],
		["PIN_PEPPER", { PIN_PEPPER: undefined }],
		["SEALING_KEYS", { SEALING_KEYS: "k1:c2hvcnQtc2VjcmV0LXZhbHVl" }],
		["OPS_TOKEN", { OPS_TOKEN: "short-secret-value" }],
		["ENVIRONMENT", { ENVIRONMENT: "production-secret-value" }],
		["PUBLIC_URL", { PUBLIC_URL: "not a secret-value" }],
		["ISSUING_KEY", { ISSUING_KEY: "c2hvcnQtc2VjcmV0LXZhbHVl" }],
	];

	test.for(BROKEN.map(([setting, change], i) => [setting, change, i] as const))(
		"%s: 503 everywhere but /healthz, and /readyz names it, never its value",
		async ([setting, change, i]) => {
			vi.spyOn(console, "error").mockImplementation(() => {});
			expect((await callOther(change, "GET", "/healthz")).status).toBe(200);
			const ready = await callOther(change, "GET", "/readyz");
			expect([ready.status, ready.body.error]).toEqual([503, "SERVICE_UNAVAILABLE"]);
			expect(ready.body.message).toContain(setting);
			expect(ready.text).not.toMatch(/secret-value|c2hvcnQt/);

			const paths = [
				...byTurns(PARTNER_ROUTES, BROKEN.length, i),
				{ method: "GET", path: "/ops/v1/partners" },
				{ method: "GET", path: "/pki/root.cer" },
			];
			for (const { method, path } of [...paths, { method: "GET", path: "/nothing" }]) {
				const answer = await callOther(change, method, path);
				expect([path, answer.status, answer.body.error]).toEqual([path, 503, "SERVICE_UNAVAILABLE"]);
				expect(answer.text).not.toContain(setting);
				expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
			}
		},
	);

	test("FROZEN: /healthz says so also while D1 is away or a setting is broken", async () => {
		vi.spyOn(console, "error").mockImplementation(() => {});
		for (const change of [{}, { DB: failingDatabase() }, { INDEX_KEY: undefined }])
			expect((await callOther({ ...change, FROZEN: "1" }, "GET", "/healthz")).body).toEqual({
				success: true,
				data: { status: "alive", frozen: true },
			});
	});

	test("D1 away: not ready", async () => {
		vi.spyOn(console, "error").mockImplementation(() => {});
		const ready = await callOther({ DB: failingDatabase() }, "GET", "/readyz");
		expect([ready.status, ready.body.message]).toEqual([503, "D1 does not answer"]);
	});
});

test("/pki serves both certificates as DER, for anyone to keep", async () => {
	for (const path of [`${authority.keyId}/cer`, "root.cer"]) {
		const { status, headers } = await call("GET", `/pki/${path}`);
		expect([status, headers.get("content-type")]).toEqual([200, "application/pkix-cert"]);
		expect(headers.get("cache-control")).toMatch(/^public, max-age=\d+$/);
	}
});

describe.each(["dev", "prod"])("%s over plain http, and at the host of PKI_URL", (ENVIRONMENT) => {
	const changes = { ENVIRONMENT, PKI_URL: "http://pki.certificates.example/pki" };
	test("every path is refused before D1 is asked for the key", async () => {
		const withoutD1 = { ...changes, DB: failingDatabase() };
		const paths = ["/healthz", "/openapi.json", "/api/partner/v1/pcodes", "/ops/v1/partners", "/nothing"];
		for (const path of [...paths, "/pki", "/docs/"]) {
			const overHttp = await callOther(withoutD1, "GET", `http://certificates.example${path}`);
			expect([path, overHttp.status, overHttp.body.error]).toEqual([path, 403, "HTTPS_REQUIRED"]);
			const atPkiHost = await callOther(withoutD1, "GET", `https://pki.certificates.example${path}`);
			expect([path, atPkiHost.status, atPkiHost.body.error]).toEqual([path, 404, "NOT_FOUND"]);
		}
	});

	test("/pki gets past this check by both", async () => {
		for (const scheme of ["http", "https"]) {
			const { headers } = await callOther(
				changes,
				"GET",
				`${scheme}://pki.certificates.example/pki/ocsp/AAAA`,
			);
			expect(headers.get("content-type")).toBe("application/ocsp-response");
		}
	});
});

/** Path patterns and the methods that are mounted on each, HEAD with GET. */
function allowedMethods(): Map<string, string[]> {
	const known = new Map<string, string[]>();
	for (const route of mountedRoutes()) {
		const [method, path] = route.split(" ") as [string, string];
		known.set(path, [...(known.get(path) ?? []), method, ...(method === "GET" ? ["HEAD"] : [])]);
	}
	for (const path of known.keys()) if (isCovered(path, known.keys())) known.delete(path);
	return known;
}

/** A literal path that another pattern matches too: two routes answer there, each with its own methods. */
function isCovered(path: string, patterns: Iterable<string>): boolean {
	if (path.includes(":")) return false;
	return [...patterns].some(
		(pattern) => pattern !== path && new RegExp(`^${pattern.replaceAll(/:\w+/g, "[^/]+")}$`).test(path),
	);
}

function concrete(path: string): string {
	const named = path.replace(":verb", "cancel").replace(/:name\{pages-.*/, "pages-0123456789abcdef.css");
	return named.replaceAll(/:\w+(\{[^}]*\})?/g, "x");
}

async function requestWithoutSerial(): Promise<Answer> {
	const partner = await Partner.create();
	const { serialNumber: _, ...fields } = JUANA;
	return partner.request({ pCode: await partner.code(), ...fields });
}

async function requestOfCancelled(): Promise<Answer> {
	const { partner, pCode } = await activeCode();
	await ops("POST", `/pcodes/${pCode}/cancel`, { reason: "test" });
	return partner.request({ pCode, ...JUANA });
}

async function tooManyRequests(): Promise<Answer> {
	const partner = await Partner.create();
	for (let i = 0; i < 10; i++) await partner.request({});
	return partner.request({});
}

/** A call to a deployment with other bindings, which knows no key yet; by default a list call with a good one. */
function callOther(changes: object, method = "GET", path = "/api/partner/v1/pcodes"): Promise<Answer> {
	forgetKeys();
	return callWith(changes, method, path, { headers: { "x-gw": goodKey } });
}

function failingDatabase(): D1Database {
	const fail = () => Promise.reject(new Error("D1_ERROR: inner text"));
	const statement = { bind: () => statement, all: fail, raw: fail, run: fail, first: fail };
	return { prepare: () => statement, batch: fail, exec: fail } as unknown as D1Database;
}

function codesOf({ body }: Answer) {
	const details = body.details as { field?: string; code: string }[] | undefined;
	return [body.error, details?.map(({ field, code }) => [field, code])];
}
