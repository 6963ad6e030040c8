import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { describeOps } from "../../../../src/api/ops/router.ts";
import { MINUTE_MS } from "../../../../src/domain/durations.ts";
import {
	type AccessTeam,
	AUDIENCE,
	assertionOf,
	generateKeys,
	jwtPart,
	openTeam,
	publicJwk,
	TEAM,
} from "../../../support/access-team.ts";
import { passTime, stopClock } from "../../../support/clock.ts";
import { callWith, freshService, ops, Partner, withJson } from "../../../support/service.ts";

const TOKENS = { reader: "ops_reader", operator: "ops_operator", seer: "ops_seer", old: "ops_old" };
const digest = (token: string) => bytesToHex(sha256(utf8ToBytes(token)));

const SETTINGS = {
	OPS_TOKEN: undefined,
	OPS_ROLES: "reader:read,operator:operate,seer:evidence,ana@example.cl:read+operate",
	OPS_TOKENS: `reader:${digest(TOKENS.reader)},operator:${digest(TOKENS.operator)},seer:${digest(TOKENS.seer)},operator:${digest(TOKENS.old)}`,
	ACCESS_TEAM: TEAM,
	ACCESS_AUDIENCE: AUDIENCE,
};

/** One environment a test: an isolate of its own, which has cached no key of the team. */
let here: object;
let team: AccessTeam;

beforeAll(freshService);

beforeEach(async () => {
	here = { ...SETTINGS };
	team = await openTeam();
});

const assertion = (claims?: object, header?: object, keys?: CryptoKeyPair) =>
	assertionOf(team, claims, header, keys);

function callAs(headers: Record<string, string>, method: string, path: string, body?: unknown) {
	return callWith(here, method, path, withJson(headers, body));
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const through = (jwt: string) => ({ "cf-access-jwt-assertion": jwt });
const list = (headers: Record<string, string>) => callAs(headers, "GET", "/ops/v1/partners");

async function actorOf(headers: Record<string, string>): Promise<string> {
	const partner = await Partner.create();
	const changed = await callAs(headers, "PATCH", `/ops/v1/partners/${partner.id}`, { name: "Changed" });
	expect([changed.status, changed.text]).toEqual([200, expect.any(String)]);
	const { body } = await ops("GET", `/audit/partner:${partner.id}`);
	return body.data.events.at(-1).actor;
}

describe("a token of its own for each person or program", () => {
	test("opens the calls of its roles alone; the audit names who called", async () => {
		expect((await list(bearer(TOKENS.reader))).status).toBe(200);
		expect(await actorOf(bearer(TOKENS.operator))).toBe("ops:operator");
		expect(await actorOf(bearer(TOKENS.old))).toBe("ops:operator");
		for (const stranger of ["ops_nobody", "reader", digest(TOKENS.reader), `${TOKENS.reader}x`, ""])
			expect((await list(bearer(stranger))).status).toBe(401);
	});

	test("403 names the role that a call needs, before its body is looked at, and nothing changes", async () => {
		const partner = await Partner.create();
		const path = `/ops/v1/partners/${partner.id}`;
		const refused = await callAs(bearer(TOKENS.reader), "PATCH", path, { nonsense: 1 });
		expect([refused.status, refused.body.error]).toEqual([403, "ROLE_REQUIRED"]);
		expect(refused.body.message).toContain("operate");
		expect((await callAs(bearer(TOKENS.operator), "GET", path)).status).toBe(403);
		expect((await ops("GET", `/audit/partner:${partner.id}`)).body.data.events).toHaveLength(1);
	});

	test("pictures of identity cards need the role evidence, which opens nothing else", async () => {
		const partner = await Partner.create();
		const pictures = `/ops/v1/evidence/${await partner.code()}`;
		for (const path of [pictures, `${pictures}/front`]) {
			expect((await callAs(bearer(TOKENS.reader), "GET", path)).status).toBe(403);
			expect((await callAs(bearer(TOKENS.operator), "GET", path)).status).toBe(403);
		}
		expect((await callAs(bearer(TOKENS.seer), "GET", pictures)).status).toBe(200);
		expect((await list(bearer(TOKENS.seer))).status).toBe(403);
	});

	test("a call that changes something needs operate: its reference says so", () => {
		const READS = new Set(["verifyAudit", "readSettings"]);
		const PERSONAL = new Set(["listHolderRequests"]);
		const { paths } = describeOps("http://service.test", "en");
		const needs = Object.values(paths!).flatMap((methods) =>
			Object.entries(
				methods as Record<
					string,
					{ operationId: string; responses: Record<string, { description: string }> }
				>,
			).map(([method, { operationId, responses }]) => ({
				method,
				operationId,
				text: responses["403"]?.description,
			})),
		);
		expect(needs.length).toBeGreaterThan(20);
		for (const { method, operationId, text } of needs) {
			const role = /Picture/.test(operationId)
				? "evidence"
				: (method === "get" && !PERSONAL.has(operationId)) || READS.has(operationId)
					? "read"
					: "operate";
			expect([operationId, text]).toEqual([operationId, expect.stringContaining(`the role ${role},`)]);
		}
	});
});

describe("Cloudflare Access", () => {
	test("lets in the person whom a valid assertion names; the audit has the e-mail address", async () => {
		expect(await actorOf(through(await assertion()))).toBe("ops:ana@example.cl");
		expect((await list(through(await assertion({ email: "nobody@example.cl" })))).status).toBe(403);
	});

	test("either way in suffices", async () => {
		const wrong = await assertion({}, {}, await generateKeys());
		expect((await list({ ...bearer(TOKENS.reader), ...through(wrong) })).status).toBe(200);
		expect((await list({ ...bearer("ops_nobody"), ...through(await assertion()) })).status).toBe(200);
	});

	const now = () => Math.floor(Date.now() / 1000);
	test.for<[string, () => Promise<string>]>([
		["no JWT", async () => "hello"],
		["empty parts", async () => ".."],
		["of another application", () => assertion({ aud: ["other"] })],
		["for nobody", () => assertion({ aud: undefined })],
		["of another team", () => assertion({ iss: "https://other.cloudflareaccess.com" })],
		["ended", () => assertion({ exp: now() })],
		["without an end", () => assertion({ exp: undefined })],
		["not yet valid", () => assertion({ nbf: now() + 60 })],
		["without a beginning", () => assertion({ nbf: undefined })],
		["without an address", () => assertion({ email: undefined })],
		["signed by somebody else", async () => assertion({}, {}, await generateKeys())],
		["of a key that the team does not have", () => assertion({}, { kid: "key-9" })],
		["without a key id", () => assertion({}, { kid: undefined })],
		["of another algorithm", () => assertion({}, { alg: "RS512" })],
		["unsigned", async () => (await assertion({}, { alg: "none" })).replace(/[^.]+$/, "")],
		[
			"signed with the public key as a secret",
			async () => {
				const { n } = await publicJwk(team.keys);
				const signed = `${jwtPart({ alg: "HS256", kid: "key-1" })}.${(await assertion()).split(".")[1]}`;
				const key = await crypto.subtle.importKey(
					"raw",
					utf8ToBytes(n!),
					{ name: "HMAC", hash: "SHA-256" },
					false,
					["sign"],
				);
				const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8ToBytes(signed)));
				return `${signed}.${mac.toBase64({ alphabet: "base64url", omitPadding: true })}`;
			},
		],
		[
			"altered",
			async () => {
				const [head, , signature] = (await assertion()).split(".");
				const claims = { iss: TEAM, aud: AUDIENCE, email: "ana@example.cl", nbf: 0, exp: now() + 600 };
				return `${head}.${jwtPart(claims)}.${signature}`;
			},
		],
	])("401: an assertion that is %s", async ([, make]) => {
		const answer = await list(through(await make()));
		expect([answer.status, answer.body.error]).toEqual([401, "UNAUTHORIZED"]);
	});

	test("the team's keys are asked for once an hour; a key it has since changed to, at once", async () => {
		stopClock();
		for (let i = 0; i < 3; i++) expect((await list(through(await assertion()))).status).toBe(200);
		expect(team.asked).toBe(1);
		passTime(60 * MINUTE_MS);
		expect((await list(through(await assertion()))).status).toBe(200);
		expect(team.asked).toBe(2);
		passTime(10_000);
		team.keys = { ...(await generateKeys()), kid: "key-2" };
		expect((await list(through(await assertion()))).status).toBe(200);
		expect(team.asked).toBe(3);
	});

	test("invented key ids ask the team once in ten seconds at most", async () => {
		stopClock();
		for (let i = 0; i < 20; i++)
			expect((await list(through(await assertion({}, { kid: `invented-${i}` })))).status).toBe(401);
		expect(team.asked).toBe(1);
	});

	test("calls at once ask the team once, and each is answered", async () => {
		const jwt = await assertion();
		const answers = await Promise.all(Array.from({ length: 5 }, () => list(through(jwt))));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
		expect(team.asked).toBe(1);
	});

	test("an invented key id while the team does not answer: known keys let in until they are an hour old", async () => {
		stopClock();
		const jwt = await assertion({ exp: Math.floor(Date.now() / 1000) + 7200 });
		expect((await list(through(jwt))).status).toBe(200);
		team.answer = () => Promise.reject(new Error("no route"));
		passTime(60 * MINUTE_MS - 1);
		expect((await list(through(await assertion({}, { kid: "invented" })))).status).toBe(401);
		expect((await list(through(jwt))).status).toBe(200);
		passTime(10_000);
		expect((await list(through(jwt))).status).toBe(503);
	});

	test.for<[string, () => Promise<Response>]>([
		["does not answer", () => Promise.reject(new Error("no route"))],
		["answers 500", async () => new Response("", { status: 500 })],
		["answers no key set", async () => Response.json({ keys: [{}] })],
	])("503, and nobody is let in, while the team %s; a token still opens", async ([, answer]) => {
		stopClock();
		const good = team.answer;
		team.answer = answer;
		const refused = await list(through(await assertion()));
		expect([refused.status, refused.body.error]).toEqual([503, "SERVICE_UNAVAILABLE"]);
		expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
		expect((await list(bearer(TOKENS.reader))).status).toBe(200);
		team.answer = good;
		passTime(10_000);
		expect((await list(through(await assertion()))).status).toBe(200);
	});

	test("without a team configured the header opens nothing", async () => {
		here = { ...here, ACCESS_TEAM: "", ACCESS_AUDIENCE: "" };
		expect((await list(through(await assertion()))).status).toBe(401);
		expect(team.asked).toBe(0);
	});
});
