import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { describeOps } from "../../../src/api/ops/router.ts";
import { WEBHOOK_EVENTS } from "../../../src/domain/webhook-events.ts";
import { ERROR_STATUS, RULE_CODES } from "../../../src/http/errors.ts";
import { describePartners } from "../../../src/sandbox/partner-api.ts";
import { expectDescribed } from "../../support/expect-described.ts";
import { faultsOf, KNOWN_FORMATS, resolve, type Schema } from "../../support/json-schema.ts";
import { type Answer, call, freshService, JUANA, Partner } from "../../support/service.ts";
import { mountedRoutes, PARTNER_ROUTES, type PartnerRoute } from "./partner-routes.ts";

interface Media {
	schema: Schema;
	example?: unknown;
	examples?: Record<string, { value: unknown }>;
}

interface Operation {
	tags?: string[];
	security?: Record<string, unknown>[];
	parameters?: { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
	requestBody?: { required: boolean; content: Record<string, Media> };
	responses: Record<
		string,
		{ description: string; headers?: Record<string, Schema>; content?: Record<string, Media> }
	>;
}

interface Described {
	info: { description: string };
	tags: { name: string }[];
	security: Record<string, unknown>[];
	paths: Record<string, Record<string, Operation>>;
	webhooks?: Record<string, { post: Operation }>;
	components: { schemas: Record<string, Schema>; securitySchemes: Record<string, Record<string, string>> };
}

/** Routes that are no part of the interface: what probes, browsers, holders and certificates ask for. */
const NOT_DESCRIBED =
	/^\/(widget|onboarding|healthz|readyz|openapi\.json|ops\/openapi\.json|pki\/|revocar|instalar|correo|docs|assets\/|(ops\/)?console)/;

const REQUEST = "/api/partners/v1/certificate_request";
const CLAIM = "/api/partners/v1/certificate_claim";
const STATUS = "/api/partners/v1/status";
const BULK = "/api/partner/v1/pcode/bulk";
const SESSIONS = "/api/partners/v1/onboarding_sessions";
const PCODES = "/api/partner/v1/pcodes";

/** The partner's document, and that of ops. */
let document: Described;
let opsDocument: Described;

beforeAll(async () => {
	await freshService();
	document = (await call("GET", "/openapi.json")).body;
	opsDocument = (await callOpsDocument(`Bearer ${env.OPS_TOKEN}`)).body;
});

function callOpsDocument(authorization: string): Promise<Answer> {
	return call("GET", "/ops/openapi.json", { headers: { authorization } });
}

test("the check of schemas that these tests rest on finds each kind of fault", () => {
	const schema: Schema = {
		type: "object",
		properties: {
			pin: { type: "string", pattern: "^\\d{4}$", maxLength: 4 },
			at: { type: ["string", "null"], format: "date-time" },
			n: { anyOf: [{ type: "integer", minimum: 1, maximum: 5 }, { enum: ["many"] }] },
			list: { type: "array", items: { $ref: "#/components/schemas/Error" } },
		},
		required: ["pin"],
		additionalProperties: false,
	};
	const good = {
		pin: "4821",
		at: null,
		n: "many",
		list: [{ success: false, error: "NOT_FOUND", message: "m" }],
	};
	expect(faultsOf(document, schema, good)).toEqual([]);
	const [entry] = good.list;
	for (const bad of [
		...[null, [], "x", {}],
		...[{ pin: 4821 }, { pin: "48211" }, { more: 1 }].map((change) => ({ ...good, ...change })),
		...["2026-11-21", 1].map((at) => ({ ...good, at })),
		...[0, 1.5, 6].map((n) => ({ ...good, n })),
		...[{}, [{}]].map((list) => ({ ...good, list })),
		...[{ error: "NO" }, { success: true }, { secret: 1 }].map((change) => ({
			...good,
			list: [{ ...entry, ...change }],
		})),
	])
		expect([bad, faultsOf(document, schema, bad).length]).not.toEqual([bad, 0]);
	for (const format of valuesOf("format")) expect(KNOWN_FORMATS).toContain(format);
});

describe("/openapi.json", () => {
	test("is in the caller's language, and a cache keeps the languages apart", async () => {
		const spanish = await call("GET", "/openapi.json", { headers: { "Accept-Language": "es-CL" } });
		const english = await call("GET", "/openapi.json", {});
		expect(spanish.body).toEqual(describePartners(env.PUBLIC_URL, "es"));
		expect(english.body).toEqual(describePartners(env.PUBLIC_URL, "en"));
		expect(spanish.headers.get("Content-Language")).toBe("es");
		expect(spanish.headers.get("Vary")).toBe("Accept-Language");
	});

	test("is OpenAPI 3.1 of version 1 (§9.1), served from where the deployment is, the same at every call", async () => {
		expect(document).toMatchObject({
			openapi: expect.stringMatching(/^3\.1\.\d+$/),
			info: { title: expect.any(String), version: expect.stringMatching(/^1\./) },
			servers: [{ url: env.PUBLIC_URL }],
		});
		expect((await call("GET", "/openapi.json")).body).toEqual(document);
	});

	test("the document of ops needs the token of ops; only it describes calls of ops", async () => {
		expect((await call("GET", "/ops/openapi.json")).status).toBe(401);
		expect((await callOpsDocument("Bearer wrong")).status).toBe(401);
		expect(Object.keys(document.paths).filter((path) => path.startsWith("/ops/"))).toEqual([]);
		expect(Object.keys(opsDocument.paths).filter((path) => !path.startsWith("/ops/v1/"))).toEqual([]);
	});

	test("every mounted route is described, and nothing that is not mounted", () => {
		const mounted = mountedRoutes()
			.map((route) => route.replaceAll(/:(\w+)(\{[^}]*\})?/g, "{$1}"))
			.filter((route) => !NOT_DESCRIBED.test(route.split(" ")[1]!));
		const described = operations().map(({ method, path }) => `${method} ${path}`);
		expect(described.sort()).toEqual(mounted.sort());
	});

	// What else a document owes its readers, `npm run check` asks of it: scripts/lint-openapi.ts.
	test("every operation has a tag of the document, and what its answers are", () => {
		for (const { described, path, operation } of operations()) {
			const known = described.tags.map(({ name }) => name);
			expect([path, operation.tags]).toEqual([path, [expect.toBeOneOf(known)]]);
			for (const { description } of Object.values(operation.responses)) expect(description).toMatch(/\w/);
		}
	});

	test("§5.1 the key is in the header x-gw, for every call; ops have a bearer token or Cloudflare Access", () => {
		expect(document.components.securitySchemes).toMatchObject({
			partnerKey: { type: "apiKey", in: "header", name: "x-gw" },
		});
		expect(opsDocument.components.securitySchemes).toMatchObject({
			opsToken: { type: "http", scheme: "bearer" },
			cloudflareAccess: { type: "apiKey", in: "header", name: "Cf-Access-Jwt-Assertion" },
		});
		expect(document.security).toEqual([{ partnerKey: [] }]);
		expect(opsDocument.security).toEqual([{ opsToken: [] }, { cloudflareAccess: [] }]);
		for (const { path, operation } of operations())
			expect([path, operation.security]).toEqual([path, undefined]);
	});

	test("every answer names its headers: x-request-id, Retry-After, RateLimit, Idempotency-Replayed", () => {
		for (const route of PARTNER_ROUTES)
			for (const [status, { headers = {} }] of Object.entries(describedAs(route).responses)) {
				const { template } = route;
				const beforeTheLimit = template === BULK ? /401|408|413/ : /401|403|408|413/;
				const opensLocks = [REQUEST, CLAIM].includes(template);
				const named = [
					"x-request-id",
					...((opensLocks ? /202|406|409|429|503/ : /202|409|429|503/).test(status) ? ["Retry-After"] : []),
					...(beforeTheLimit.test(status) ? [] : ["RateLimit-Policy", "RateLimit"]),
					...([REQUEST, CLAIM, BULK, SESSIONS].includes(template) && /200|201|406/.test(status)
						? ["Idempotency-Replayed"]
						: []),
				];
				expect([template, status, Object.keys(headers)]).toEqual([template, status, named]);
			}
	});

	test("§6 each event is a webhook with the headers of Standard Webhooks, and an example of it", () => {
		expect(Object.keys(document.webhooks!).sort()).toEqual(
			[...WEBHOOK_EVENTS, "ping", "settings.changed"].sort(),
		);
		for (const [type, { post }] of Object.entries(document.webhooks!)) {
			const names = post.parameters!.map(({ name }) => name);
			expect(names).toEqual(["webhook-id", "webhook-timestamp", "webhook-signature"]);
			expect(post.requestBody!.content["application/json"]!.example).toMatchObject({ type });
		}
	});

	test("both languages have the same document except for its texts, and no text is left in both", () => {
		for (const describe of [describePartners, describeOps]) {
			const [en, es] = [describe("https://x.example", "en"), describe("https://x.example", "es")];
			for (const text of [JSON.stringify(en), JSON.stringify(es)]) expect(text).not.toMatch(/\\u001[ef]/);
			expect(withoutTexts(es)).toEqual(withoutTexts(en));
			expect(es.info.title).not.toBe(en.info.title);
		}
	});

	test("the partner's document neither says which rows are our choice nor cites a section", () => {
		expect(JSON.stringify(document)).not.toMatch(/chosen|§/i);
	});

	test("every pattern is a pattern that can match", () => {
		const patterns = new Set(valuesOf("pattern"));
		expect(patterns.size).toBeGreaterThan(2);
		for (const pattern of patterns) {
			expect(() => new RegExp(pattern as string, "u")).not.toThrow();
			expect(pattern).not.toMatch(/\/[a-z]*$/);
		}
	});
});

describe("statuses", () => {
	test("every error code is described with the status it has, on some route or in the introduction", () => {
		const answered = new Set<string>();
		for (const { operation } of operations())
			for (const [status, { description }] of Object.entries(operation.responses))
				for (const code of Object.keys(ERROR_STATUS))
					if (description.includes(code)) answered.add(`${code} ${status}`);
		for (const [code, status] of Object.entries(ERROR_STATUS))
			if (code === "METHOD_NOT_ALLOWED" || code === "HTTPS_REQUIRED")
				expect(document.info.description).toContain(`${status} ${code}`);
			else expect([...answered]).toContain(`${code} ${status}`);
		expect([...answered]).toContain("VALIDATION_ERROR 406");
		expect(operationOf(REQUEST).responses[429]!.description).toMatch(
			/ATTEMPT_LIMIT_REACHED.*RATE_LIMIT_EXCEEDED/s,
		);
	});

	test("every 406 code is named by a call that can answer it", () => {
		const calls = [document, opsDocument].flatMap(({ paths }) =>
			Object.values(paths).flatMap(Object.values<Operation>),
		);
		const told = calls.map(({ responses }) => responses[406]?.description ?? "");
		expect(RULE_CODES.filter((code) => !told.some((text) => text.includes(code)))).toEqual([]);
		expect(operationOf(CLAIM).responses[406]!.description).toContain("CREDENTIALS_MISMATCH");
	});
});

describe("request schemas", () => {
	test("§4.1 certificate_request: these fields and our renews, of which these are always required", {
		tags: ["request-openapi-fields", "request-empty-field"],
	}, () => {
		const { properties, required, additionalProperties } = bodyOf(REQUEST);
		expect(Object.keys(properties!).sort()).toEqual(
			[
				...["pCode", "referenceId", "dni", "email", "pin", "serialNumber", "names", "fLastname", "mLastname"],
				...["phone", "ssoCredential", "dniFront", "dniBack", "partnerCopy", "fechaVencimiento"],
				"renews",
			].sort(),
		);
		expect(required!.sort()).toEqual(["dni", "email", "pCode", "pin", "referenceId"]);
		expect(additionalProperties).toBe(false);
		for (const [name, field] of Object.entries(properties!)) {
			const [own, ...notSent] = required!.includes(name) ? [deref(field)] : (field.anyOf as Schema[]);
			expect([name, own!.type]).toEqual([name, "string"]);
			expect(notSent).toEqual(
				required!.includes(name) ? [] : [{ type: "string", enum: [""] }, { type: "null" }],
			);
		}
	});

	test("§4.1, §4.2 the PIN's pattern is the document's, to the letter", {
		tags: ["pin-pattern", "claim-openapi-fields"],
	}, () => {
		expect(bodyOf(CLAIM).required).toEqual(["p_code", "dni", "pin"]);
		for (const path of [REQUEST, CLAIM])
			expect(deref(bodyOf(path).properties!.pin!).pattern).toBe("^\\d{4}$");
	});

	test("§4.3 p_code is required; §4.5 every parameter of the list is optional", {
		tags: ["list-parameters-optional"],
	}, () => {
		const parameters = (path: string) =>
			Object.fromEntries(operationOf(path).parameters!.map(({ name, required }) => [name, required]));
		expect(parameters(STATUS)).toEqual({ p_code: true });
		expect(parameters(PCODES)).toEqual({
			status: false,
			page: false,
			limit: false,
			created_from: false,
			created_to: false,
			external_reference_id: false,
			batch_id: false,
		});
	});

	test("Idempotency-Key is described on the three POSTs, and on nothing else of partners", {
		tags: ["idempotency-openapi"],
	}, () => {
		for (const route of PARTNER_ROUTES) {
			const path = route.template;
			const header = describedAs(route).parameters?.find(
				({ name }) => name.toLowerCase() === "idempotency-key",
			);
			const isPost = [REQUEST, CLAIM, BULK, SESSIONS].includes(path);
			expect([path, header?.in, header?.required]).toEqual(
				isPost ? [path, "header", false] : [path, undefined, undefined],
			);
			if (header) expect(header.description).toContain("24 hours");
		}
	});

	test("the service accepts and refuses as the request schemas do", async () => {
		const samples: [string, unknown][] = [
			[BULK, { productCode: "FV01", quantity: 1 }],
			[BULK, { productCode: "FV09", quantity: 1 }],
			[BULK, { productCode: "FV01", quantity: 501 }],
			[BULK, { productCode: "FV01", quantity: "1" }],
			[BULK, { productCode: "FV01", quantity: 1, more: 1 }],
			[BULK, []],
			[CLAIM, { p_code: "7K3M-9QXT-2B4C-H8WD", dni: "11111111-1", pin: "4821" }],
			[CLAIM, { p_code: "7K3M-9QXT-2B4C-H8WD", dni: "11111111-1", pin: "482" }],
			[CLAIM, { p_code: "7K3M-9QXT-2B4C-H8WD", dni: "11111111-1", pin: "٤٨٢١" }],
			[CLAIM, { p_code: "", dni: "11111111-1", pin: "4821" }],
			[CLAIM, { p_code: "a\u0000b", dni: "11111111-1", pin: "4821" }],
			[CLAIM, { p_code: "ñandú", dni: "11111111-1", pin: "4821" }],
			[REQUEST, { pCode: "7K3M-9QXT-2B4C-H8WD", ...JUANA }],
			[REQUEST, { pCode: "7K3M-9QXT-2B4C-H8WD", ...JUANA, email: "juana" }],
			[REQUEST, { pCode: "7K3M-9QXT-2B4C-H8WD", ...JUANA, referenceId: 7 }],
			[REQUEST, { pCode: "7K3M-9QXT-2B4C-H8WD", ...JUANA, referenceId: "ñ 🙂" }],
		];
		for (const [path, sample] of samples) {
			const partner = await Partner.create();
			const fits = faultsOf(document, bodyOf(path), sample).length === 0;
			const { status } = await partner.post(path, sample);
			expect([path, sample, status !== 400]).toEqual([path, sample, fits]);
		}
	});
});

describe("examples", () => {
	test("a body put together from its fields' examples is accepted by the service", async () => {
		const partner = await Partner.create();
		const headers = { "x-gw": await partner.manageKey(), "content-type": "application/json" };
		for (const route of PARTNER_ROUTES) {
			const { method, template, path, query = "", body } = route;
			const init = { headers, ...(body && { body: JSON.stringify(body) }) };
			const { status } = await call(method, path + query, init);
			expect([template, [400, 401, 403, 429].includes(status)]).toEqual([template, false]);
			if (!body) continue;
			const { schema } = describedAs(route).requestBody!.content["application/json"]!;
			expect([template, faultsOf(document, schema, body)]).toEqual([template, []]);
		}
	});

	test("every answer of a partner route has an example", () => {
		for (const route of PARTNER_ROUTES)
			for (const [status, { content }] of Object.entries(describedAs(route).responses))
				expect(examplesOf(content!["application/json"]!), `${route.template} ${status}`).not.toEqual([]);
	});

	test("the example of a refusal is the answer that the service gives", async () => {
		const partner = await Partner.create();
		const example = (path: string, status: number, reason: string) =>
			operationOf(path).responses[status]!.content!["application/json"]!.examples![reason]!.value;
		const code = await partner.code();
		expect((await partner.claim(code)).body).toEqual(example(CLAIM, 404, "not_found"));
		expect((await call("GET", PCODES)).body).toEqual(example(PCODES, 401, "unauthorized"));
		expect((await partner.bulk(0)).body).toEqual(example(BULK, 400, "invalid_request"));
		const { serialNumber: _, ...withoutSerial } = JUANA;
		const refused = await partner.request({ pCode: code, ...withoutSerial });
		expect(refused.body).toEqual(example(REQUEST, 406, "serial_number_required"));
		const tooLarge = await partner.post(BULK, " ".repeat(16_385));
		expect(tooLarge.body).toEqual(example(BULK, 413, "body_too_large"));
	});
});

test("every answer of these tests is held against the documents: an undescribed status, and a member more, are noticed", {
	tags: ["openapi-answers"],
}, async () => {
	const { status, headers, body } = await (await Partner.create()).bulk();
	const notice = (answer: { status: number; body: unknown }) => () =>
		expectDescribed("POST", BULK, { headers, ...answer });
	notice({ status, body })();
	expect(notice({ status: 200, body })).toThrow("is not described");
	expect(notice({ status, body: { ...body, more: 1 } })).toThrow();
	expect(notice({ status, body: { ...body, data: { ...body.data, pcodes: [1] } } })).toThrow();
});

/** The operations of both documents, each with the document that describes it. */
function operations() {
	return [document, opsDocument].flatMap((described) =>
		Object.entries(described.paths).flatMap(([path, methods]) =>
			Object.entries(methods).map(([method, operation]) => ({
				described,
				path,
				method: method.toUpperCase(),
				operation,
			})),
		),
	);
}

function documentOf(path: string): Described {
	return path.startsWith("/ops/") ? opsDocument : document;
}

function examplesOf({ example, examples = {} }: Media): unknown[] {
	const named = Object.values(examples).map(({ value }) => value);
	return example === undefined ? named : [example, ...named];
}

/** Removes what a language changes: descriptions, summaries, titles and messages. */
function withoutTexts(described: object): unknown {
	return JSON.parse(
		JSON.stringify(described, (key, value) =>
			["description", "summary", "title", "message"].includes(key) && typeof value === "string"
				? undefined
				: value,
		),
	);
}

function describedAs({ template, method }: PartnerRoute): Operation {
	return document.paths[template]![method.toLowerCase()]!;
}

/** The operation of a path: its POST where it has several. */
function operationOf(path: string): Operation {
	const methods = documentOf(path).paths[path]!;
	return methods.post ?? methods.get!;
}

function bodyOf(path: string): Schema {
	return deref(operationOf(path).requestBody!.content["application/json"]!.schema);
}

function deref(schema: Schema): Schema {
	return schema.$ref === undefined ? schema : resolve(document, schema.$ref);
}

/** Every value of a keyword, anywhere in the document. */
function valuesOf(keyword: string): unknown[] {
	const found: unknown[] = [];
	JSON.stringify(document, (key, value) => {
		if (key === keyword && typeof value === "string") found.push(value);
		return value;
	});
	return found;
}
