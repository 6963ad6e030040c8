import { describe, expect, test } from "vitest";
import { logFaults } from "./after.ts";
import type { Call } from "./call.ts";
import { asked, faults, fixtures, HEADERS, OTHERS_CODE, OWN_CODE, own, secrets } from "./fuzz-samples.ts";
import { faultsOfHook } from "./judge-leaks.ts";
import { type ROLES, roleToken } from "./role-tokens.ts";

/* The judge of the fuzz refuses each kind of bad answer, and lets the good ones pass. */

const STATUS = asked("GET /api/partners/v1/status");
const LIST = asked("GET /api/partner/v1/pcodes");
const CLAIM = asked("POST /api/partners/v1/certificate_claim");
const REQUEST = asked("POST /api/partners/v1/certificate_request");
const BULK = asked("POST /api/partner/v1/pcode/bulk");
const DATABASE = { bytes: 1, limit: 10, level: "normal" };
const JOBS = { success: true, data: { database: DATABASE, jobs: [] } };
const withRole = (role: (typeof ROLES)[number]) =>
	asked("GET /ops/v1/upkeep", {
		caller: "ops",
		headers: [["Authorization", `Bearer ${roleToken(fixtures.opsToken, role)}`]],
	});
const UNLIMITED = { ratelimit: null, "ratelimit-policy": null };
const ACTIVE = { success: true, data: { p_code: OWN_CODE, status: "ACTIVE" } };
const refusal = (error: string, more: object = {}) => ({ success: false, error, message: "No.", ...more });
const business = (code: string) => refusal("VALIDATION_ERROR", { details: [{ code, message: "No." }] });

describe("good answers pass", () => {
	test.for<[string, Call, number, unknown, Record<string, string | null>?]>([
		["status", STATUS, 200, ACTIVE],
		[
			"a refusal",
			STATUS,
			400,
			refusal("VALIDATION_ERROR", { details: [{ field: "p_code", code: "REQUIRED", message: "x" }] }),
		],
		[
			"no key",
			{ ...STATUS, headers: [] },
			401,
			refusal("UNAUTHORIZED"),
			{ ratelimit: null, "ratelimit-policy": null },
		],
		["a business rejection", CLAIM, 406, business("CREDENTIALS_MISMATCH")],
		["what the role of the token may see", withRole("read"), 200, JOBS, UNLIMITED],
		["another route", asked("GET /nothing"), 404, refusal("NOT_FOUND")],
		[
			"another method",
			asked("PUT /api/partners/v1/status"),
			405,
			refusal("METHOD_NOT_ALLOWED"),
			{ allow: "GET, HEAD" },
		],
		["wait", STATUS, 429, refusal("RATE_LIMIT_EXCEEDED"), { "retry-after": "3" }],
		[
			"the registry is down, as asked for",
			{ ...REQUEST, body: Buffer.from('{"dni":"10.000.005-9"}') },
			503,
			refusal("REGISTRY_UNAVAILABLE"),
			{ "retry-after": "30" },
		],
		[
			"another's code is none",
			{ ...STATUS, code: fixtures.codeOf(OTHERS_CODE)! },
			200,
			{ success: true, data: { p_code: OTHERS_CODE, status: "NOT_FOUND" } },
		],
		[
			"nor is a text with another's code in it, which comes back as it was sent",
			{ ...STATUS, query: [["p_code", `%C3%B1${OTHERS_CODE}`]], code: fixtures.codeOf(OTHERS_CODE)! },
			200,
			{ success: true, data: { p_code: `ñ${OTHERS_CODE}`, status: "NOT_FOUND" } },
		],
	])("%s", ([, call, status, body, headers]) => {
		expect(faults(call, status, body, headers)).toEqual([]);
	});
});

describe("bad answers are refused", () => {
	test.for<[string, Call, number, unknown, Record<string, string | null>?]>([
		["500", STATUS, 500, refusal("INTERNAL_ERROR")],
		[
			"503 of the single sign-on that was to answer",
			REQUEST,
			503,
			refusal("SERVICE_UNAVAILABLE"),
			{ "retry-after": "30" },
		],
		["503 of nothing", STATUS, 503, refusal("SERVICE_UNAVAILABLE"), { "retry-after": "30" }],
		[
			"503 of a registry that was to answer",
			REQUEST,
			503,
			refusal("REGISTRY_UNAVAILABLE"),
			{ "retry-after": "30" },
		],
		["what the role of the token may not see", withRole("operate"), 200, JOBS, UNLIMITED],
		["a status that is not documented", STATUS, 418, refusal("NOT_FOUND")],
		["a field too many", STATUS, 200, { ...ACTIVE, more: 1 }],
		["a field too few", STATUS, 200, { success: true, data: { p_code: OWN_CODE } }],
		[
			"a value that is none of the enum",
			STATUS,
			200,
			{ success: true, data: { p_code: OWN_CODE, status: "FINE" } },
		],
		["no JSON", STATUS, 200, "<html>"],
		["JSON that says it is a text", STATUS, 200, ACTIVE, { "content-type": "text/plain" }],
		["an error that does not belong to its status", STATUS, 400, refusal("NOT_FOUND")],
		[
			"two rules broken at once",
			CLAIM,
			406,
			refusal("VALIDATION_ERROR", {
				details: [
					{ code: "A", message: "x" },
					{ code: "B", message: "x" },
				],
			}),
		],
		["a rule that is not documented", CLAIM, 406, business("NAME_MISMATCH")],
		["404 where there is something", STATUS, 404, refusal("NOT_FOUND")],
		["200 where there is nothing", asked("GET /nothing"), 200, ACTIVE],
		["405 without Allow", asked("PUT /api/partners/v1/status"), 405, refusal("METHOD_NOT_ALLOWED")],
		["405 of a method that is allowed", STATUS, 405, refusal("METHOD_NOT_ALLOWED"), { allow: "GET, HEAD" }],
		["429 without Retry-After", STATUS, 429, refusal("RATE_LIMIT_EXCEEDED")],
		["no RateLimit", STATUS, 200, ACTIVE, { ratelimit: null }],
		["data that may be cached", STATUS, 200, ACTIVE, { "cache-control": "public" }],
		["no nosniff", STATUS, 200, ACTIVE, { "x-content-type-options": null }],
		[
			"a request id of its own in place of the caller's",
			{ ...STATUS, headers: [...STATUS.headers, ["x-request-id", "mine"]] },
			200,
			ACTIVE,
		],
		[
			"a request id that is not sane",
			{ ...STATUS, headers: [...STATUS.headers, ["x-request-id", "<b>"]] },
			200,
			ACTIVE,
			{ "x-request-id": "<b>" },
		],
		["a body in an answer to HEAD", { ...STATUS, method: "HEAD" }, 200, ACTIVE],
		[
			"another partner's marker",
			BULK,
			201,
			{ success: true, data: { batchId: "ref-mkbbbbbbbbzz", pcodes: [] } },
		],
		["another partner's marker in a header", STATUS, 200, ACTIVE, { "x-extra": "mkbbbbbbbbzz" }],
		[
			"another's code in a text that nobody sent",
			{ ...STATUS, query: [["p_code", OTHERS_CODE]], code: fixtures.codeOf(OTHERS_CODE)! },
			200,
			{ success: true, data: { p_code: `ñ${OTHERS_CODE}`, status: "NOT_FOUND" } },
		],
		["another partner's code", BULK, 201, { success: true, data: { batchId: "b", pcodes: [OTHERS_CODE] } }],
		[
			"another partner's batch",
			BULK,
			201,
			{ success: true, data: { batchId: `bt_${"2".repeat(32)}`, pcodes: [] } },
		],
		[
			"its own marker without a key",
			{ ...STATUS, headers: [] },
			401,
			{ ...refusal("UNAUTHORIZED"), message: "mkaaaaaaaazz" },
		],
		[
			"another's code that reads ACTIVE",
			{ ...STATUS, code: fixtures.codeOf(OTHERS_CODE)! },
			200,
			{ success: true, data: { p_code: OTHERS_CODE, status: "ACTIVE" } },
		],
		[
			"another's code that is locked",
			{ ...CLAIM, code: fixtures.codeOf(OTHERS_CODE)! },
			423,
			refusal("LOCKED"),
		],
		[
			"another's code with a rule of its own",
			{ ...CLAIM, code: fixtures.codeOf(OTHERS_CODE)! },
			406,
			business("CREDENTIALS_MISMATCH"),
		],
		["a PIN", CLAIM, 406, { ...business("CREDENTIALS_MISMATCH"), message: "7391 is wrong" }],
		["an API key", STATUS, 400, { ...refusal("VALIDATION_ERROR"), message: own.key }],
		[
			"a webhook secret",
			STATUS,
			400,
			{ ...refusal("VALIDATION_ERROR"), message: `whsec_${"MfKQ9r8G".repeat(4)}` },
		],
		["a credential", REQUEST, 400, { ...refusal("VALIDATION_ERROR"), message: "sso-11111111-1" }],
		["a secret of the settings", STATUS, 400, { ...refusal("VALIDATION_ERROR"), message: secrets[0] }],
		["a stack frame", STATUS, 400, { ...refusal("VALIDATION_ERROR"), message: "at run (worker.mjs:12:3)" }],
		["a statement", STATUS, 400, { ...refusal("VALIDATION_ERROR"), message: "SELECT * FROM x" }],
		["an exception's name", STATUS, 400, { ...refusal("VALIDATION_ERROR"), message: "TypeError: x is null" }],
		[
			"a private key",
			CLAIM,
			406,
			{ ...business("CREDENTIALS_MISMATCH"), message: "-----BEGIN PRIVATE KEY-----" },
		],
		["an id of ops", LIST, 400, { ...refusal("VALIDATION_ERROR"), message: `pt_${"a".repeat(32)}` }],
	])("%s", ([, call, status, body, headers]) => {
		expect(faults(call, status, body, headers)).not.toEqual([]);
	});

	test("a holder's e-mail for ops", () => {
		const call = asked("GET /ops/v1/deliveries", {
			caller: "ops",
			headers: [["Authorization", `Bearer ${fixtures.opsToken}`]],
		});
		const none = { success: true, data: { deliveries: [] } };
		expect(faults(call, 200, none)).toEqual([]);
		const shown = { "x-extra": "h1.mkaaaaaaaazz@holders.example" };
		expect(faults(call, 200, none, shown)).toEqual(["a holder's e-mail for ops"]);
	});

	test("an answer that takes eleven seconds, and none at all", () => {
		const headers = Object.entries(HEADERS);
		const late = { status: 200, headers, body: Buffer.from(JSON.stringify(ACTIVE)), ms: 11_000 };
		expect(faults(STATUS, 200, ACTIVE, {}, { outcome: late })).not.toEqual([]);
		for (const failure of ["timeout", "closed", "garbled"] as const)
			expect(faults(STATUS, 200, ACTIVE, {}, { outcome: { failure, ms: 5 } })).not.toEqual([]);
	});

	test("a body that no schema allows, though the framing was bent", () => {
		const framed = (status: number, body: unknown) =>
			faults(STATUS, status, body, {}, { bent: { line: false, headers: false, wire: true } });
		expect(framed(200, ACTIVE)).toEqual([]);
		expect(framed(404, refusal("NOT_FOUND"))).toEqual([]);
		expect(framed(200, { ...ACTIVE, more: 1 })).not.toEqual([]);
		expect(framed(418, refusal("NOT_FOUND"))).not.toEqual([]);
	});

	test("an answer of the server in front to a call that was framed as it should be", () => {
		expect(faults(STATUS, 400, "Bad Request", { "x-request-id": null })).not.toEqual([]);
	});
});

test("a log line or a webhook that holds what it must not", () => {
	const line = '{"level":"info","event":"request","request_id":"x","status":200}';
	expect(logFaults([line], secrets)).toEqual([]);
	for (const held of [
		secrets[0]!,
		own.key,
		`"whsec_${"MfKQ9r8G".repeat(4)}"`,
		'"7391"',
		"12345678-5",
		"h1@holders.example",
		"mkaaaaaaaazz",
		"sso-x",
	])
		expect([held, logFaults([line, `{"event":"bug","detail":${held}}`], secrets).length]).not.toEqual([
			held,
			0,
		]);
	expect(faultsOfHook("/mkaaaaaaaazz", '{"reference":"ref-mkaaaaaaaazz-1"}')).toEqual([]);
	expect(faultsOfHook("/mkaaaaaaaazz", '{"reference":"ref-mkbbbbbbbbzz-1"}')).not.toEqual([]);
	expect(faultsOfHook("/mkaaaaaaaazz", '{"pin":"7391"}')).not.toEqual([]);
});
