import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { forgetKeys } from "../../../src/db/api-keys.ts";
import { enterKey } from "../../../src/db/directory.ts";
import { MINUTE_MS } from "../../../src/domain/durations.ts";
import { createApiKey, hashApiKey } from "../../../src/secrets/api-key.ts";
import { passTime, stopClock } from "../../support/clock.ts";
import { activeCode } from "../../support/codes.ts";
import { execute, openRegister } from "../../support/db.ts";
import { createProd, TOKEN } from "../../support/prod.ts";
import { dropQueue } from "../../support/receiver.ts";
import { byTurns } from "../../support/run-size.ts";
import { type Answer, call, callWith, freshService, ops, Partner } from "../../support/service.ts";
import { countRows, readTables } from "../../support/tables.ts";
import { mountedRoutes, PARTNER_ROUTES, type PartnerRoute } from "./partner-routes.ts";

beforeAll(freshService);
beforeEach(forgetKeys);
beforeEach(dropQueue);

type Credentials = { headers?: [string, string][]; query?: string };

const RANGES = '["203.0.113.0/24"]';

/** Everything that is wrong with a key, and how a caller would send it. */
const BAD_KEYS: Record<string, () => Promise<Credentials> | Credentials> = {
	missing: () => ({}),
	empty: () => xGw(""),
	malformed: () => xGw("hello"),
	"no more than its prefix": () => xGw("gw_dev_"),
	"not ASCII": () => xGw("\u00ff\u00fe"),
	"SQL in its place": () => xGw("' OR 1=1 --"),
	"two in one": async () => xGw(`${await aKey()}, ${await aKey()}`),
	"another scheme's token": () => xGw("Bearer 0123456789abcdef"),
	"the token of ops": () => xGw(env.OPS_TOKEN!),
	"cut short": async () => xGw((await aKey()).slice(0, -1)),
	"with something behind it": async () => xGw(`${await aKey()}0`),
	"with a wrong checksum": async () => xGw(withOtherLastSymbol(await aKey())),
	"with an altered body": async () => xGw(withOtherFirstSymbol(await aKey())),
	unknown: async () => xGw(await createApiKey("dev")),
	revoked: async () => xGw(await revokedKey()),
	expired: async () => xGw(await limitedKey("expires_at", 1)),
	"for other addresses, without the caller's": async () => xGw(await limitedKey("allowed_cidrs", RANGES)),
	"from an address that it is not for": async () => ({
		headers: [...xGw(await limitedKey("allowed_cidrs", RANGES)).headers, ["cf-connecting-ip", "203.0.114.1"]],
	}),
	"of a suspended partner": async () => xGw(await suspendedPartnersKey()),
	"of prod, in dev": async () => xGw(await createApiKey("prod")),
	"of prod, in dev, even were it in D1": async () => xGw(await registeredProdKey()),
	"in the query": async () => ({ query: `x-gw=${await aKey()}` }),
	"in Authorization": async () => ({ headers: [["authorization", `Bearer ${await aKey()}`]] }),
	"in a cookie": async () => ({ headers: [["cookie", `x-gw=${await aKey()}`]] }),
	"under another header's name": async () => ({ headers: [["x-api-key", await aKey()]] }),
	"its hash in its place": async () => xGw(await hashApiKey(await aKey())),
	"twice, both good": async () => {
		const key = await aKey();
		return { headers: [...xGw(key).headers, ...xGw(key).headers] };
	},
	"twice, one good": async () => ({ headers: [...xGw(await aKey()).headers, ...xGw("hello").headers] }),
};

test("the table holds every partner route that is mounted", () => {
	const partnerRoutes = mountedRoutes().filter((route) => / \/api\//.test(route));
	expect(partnerRoutes.sort()).toEqual(
		PARTNER_ROUTES.map(({ method, pattern }) => `${method} ${pattern}`).sort(),
	);
});

/** Flaws that every route is tried with, one of each thing that looks at a key. The first route is tried with all. */
const FLAWS_EVERYWHERE = [
	...["missing", "malformed", "with a wrong checksum", "unknown", "revoked", "expired"],
	...["from an address that it is not for", "of a suspended partner", "of prod, in dev, even were it in D1"],
	...["in the query", "in Authorization", "twice, one good"],
];

/** Keys that are made once, since no call with one changes anything. */
const badCredentials: Record<string, Credentials> = {};
beforeAll(async () => {
	for (const [flaw, credentials] of Object.entries(BAD_KEYS)) badCredentials[flaw] = await credentials();
});

describe.for(PARTNER_ROUTES)(
	"§5.1 $method $template asks for an API key in x-gw",
	{ tags: ["key-required"] },
	(route) => {
		const turn = PARTNER_ROUTES.indexOf(route);
		test("a good key is let through, after a refused call that took nothing of its rate; its header's name is read without regard to case (RFC 9110 §5.1), blanks around it are none of it", {
			tags: ["order-key-before-rate"],
		}, async () => {
			const key = await aKey();
			await send(route, xGw(withOtherLastSymbol(key)));
			const { status, headers } = await send(route, { headers: [["X-GW", `  ${key}  `]] });
			expect([401, 403, 429]).not.toContain(status);
			expect(status).toBeLessThan(500);
			expect(headers.get("ratelimit")).toMatch(/;r=(9|29|59|599);/);
		});

		test("§5.3 whatever is wrong with the key, the 401 is one and the same, byte for byte, and changes nothing", {
			tags: ["key-refused"],
		}, async () => {
			const answers: Record<string, Answer> = {};
			const before = await countRows();
			const flaws = turn === 0 ? Object.keys(BAD_KEYS) : byTurns(FLAWS_EVERYWHERE, 4, turn);
			for (const flaw of new Set(["missing", ...flaws]))
				answers[flaw] = await send(route, badCredentials[flaw]!);
			expect(await countRows()).toEqual(before);
			for (const [flaw, { status, text, headers }] of Object.entries(answers)) {
				expect([flaw, status]).toEqual([flaw, 401]);
				expect([flaw, text]).toEqual([flaw, answers.missing!.text]);
				expect([flaw, comparable(headers)]).toEqual([flaw, comparable(answers.missing!.headers)]);
			}
			expect(answers.missing!.body).toEqual({
				success: false,
				error: "UNAUTHORIZED",
				message: "Send a valid API key in the x-gw header.",
			});
		});

		test('decision "Order of checks": a bad key is checked before media type, shape and query', {
			tags: ["order-key-before-shape", "request-key-first", "claim-key"],
		}, async () => {
			type Flaw = { type?: string; body?: string; query?: string };
			const flaws: Flaw[] = [{ type: "text/plain" }, { body: "{" }, { query: "?nonsense=1" }];
			for (const flaw of byTurns(flaws, 3, turn)) {
				const answer = await call(route.method, route.path + (flaw.query ?? ""), {
					headers: { "x-gw": "hello", "content-type": flaw.type ?? "application/json" },
					...(route.body && { body: flaw.body ?? "{}" }),
				});
				expect([flaw, answer.status, answer.body.error]).toEqual([flaw, 401, "UNAUTHORIZED"]);
			}
		});
	},
);

describe("decisions, Keys: revocation and suspension", () => {
	const url = "/api/partner/v1/pcodes";
	const statusWith = async (key: string) => (await call("GET", url, { headers: { "x-gw": key } })).status;

	test("ended from another isolate, a key is refused everywhere within 60 s, a busy one too", {
		tags: ["key-revoked-everywhere", "key-revoked-busy"],
	}, async () => {
		stopClock();
		const partner = await Partner.create();
		await statusWith(partner.key);
		await execute("UPDATE partners SET suspended_at = ? WHERE id = ?", Date.now(), partner.id);
		for (let seconds = 0; seconds < 60; seconds += 5) {
			await statusWith(partner.key);
			passTime(5_000);
		}
		expect(await statusWith(partner.key)).toBe(401);
	});

	test("suspended by ops, every key of the partner is refused at once; resumed, they work again", async () => {
		const partner = await Partner.create();
		const other = await Partner.create();
		expect(await statusWith(partner.key)).toBe(200);
		await partner.change({ suspended: true });
		expect([await statusWith(partner.key), await statusWith(other.key)]).toEqual([401, 200]);
		await partner.change({ suspended: false });
		expect(await statusWith(partner.key)).toBe(200);
	});

	test("a key that was refused a moment ago works within five seconds of being there", async () => {
		stopClock();
		const partner = await Partner.create();
		const key = await createApiKey("dev");
		expect(await statusWith(key)).toBe(401);
		await insertKey(partner.id, key);
		passTime(5_000);
		expect(await statusWith(key)).toBe(200);
	});

	test("a call of scope manage takes no key that was revoked elsewhere, or whose partner was suspended, a moment ago", {
		tags: ["key-revoked-manage"],
	}, async () => {
		for (const end of [
			"UPDATE partners SET suspended_at = 1 WHERE id = ?",
			"UPDATE api_keys SET revoked_at = 1 WHERE partner_id = ?",
		]) {
			const { partner, pCode } = await activeCode();
			const manage = await partner.manageKey();
			expect(await statusWith(manage)).toBe(200);
			await execute(end, partner.id);
			expect(await statusWith(manage)).toBe(200);
			expect((await partner.desk("POST", `/pcodes/${pCode}/cancel`, { reason: "a" })).status).toBe(401);
			expect((await partner.desk("PUT", "/delivery_email", { delivery_email: "a@b.example" })).status).toBe(
				401,
			);
			expect(await statusWith(manage)).toBe(401);
		}
	});
});

describe("decisions, Keys: form and storage", () => {
	test("prod takes no gw_dev_ key, be it registered and in use elsewhere, and takes its own", {
		tags: ["key-environment"],
	}, async () => {
		const prod = await createProd();
		const [path, dev] = ["/api/partner/v1/pcodes", (await Partner.create()).key];
		const withKey = async (key: string, changes: object) =>
			(await callWith(changes, "GET", path, { headers: { "x-gw": key } })).status;
		expect(await withKey(dev, {})).toBe(200);
		expect(await withKey(dev, prod)).toBe(401);
		forgetKeys();
		expect(await withKey(dev, prod)).toBe(401);

		const created = await callWith(prod, "POST", "/ops/v1/partners", {
			headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
			body: JSON.stringify({ name: "Partner in prod" }),
		});
		const own = JSON.parse(created.text).data.api_key;
		expect(own).toMatch(/^gw_prod_/);
		expect([await withKey(own, prod), await withKey(own, {})]).toEqual([200, 401]);
	});

	test("stored as SHA-256 only: no table holds a key or the part of it that is secret", {
		tags: ["key-stored-hash"],
	}, async () => {
		const partner = await Partner.create();
		await partner.bulk(1, "FV01", { "idempotency-key": "order-1" });
		const register = await readTables();
		const stored = JSON.stringify(register);
		expect(stored).not.toContain(partner.key);
		expect(stored).not.toContain(partner.key.slice(7, 33));
		const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(partner.key));
		const hashes = register.api_keys!.map(({ hash }) => hash);
		expect(hashes).toContain(new Uint8Array(digest).toHex());
	});

	test("last-used is noted, to five minutes", { tags: ["key-last-used"] }, async () => {
		stopClock();
		const partner = await Partner.create();
		const lastUsed = async () => {
			const { body } = await ops("GET", `/partners/${partner.id}`);
			return body.data.keys[0].last_used_at;
		};
		expect(await lastUsed()).toBeNull();
		const first = Date.now();
		await use(partner.key);
		expect(await lastUsed()).toBe(new Date(first).toISOString());

		passTime(4 * MINUTE_MS);
		await use(partner.key);
		expect(await lastUsed()).toBe(new Date(first).toISOString());
		passTime(2 * MINUTE_MS);
		await use(partner.key);
		expect(await lastUsed()).toBe(new Date(first + 6 * MINUTE_MS).toISOString());
	});

	test("a refused key is not noted as used", async () => {
		const partner = await Partner.create();
		const { keys } = (await ops("GET", `/partners/${partner.id}`)).body.data;
		await ops("DELETE", `/partners/${partner.id}/keys/${keys[0].id}`);
		await use(partner.key);
		const { body } = await ops("GET", `/partners/${partner.id}/ended_keys`);
		expect(body.data.keys[0]).toMatchObject({ id: keys[0].id, last_used_at: null });
	});
});

describe("Ops: Authorization: Bearer <OPS_TOKEN>", () => {
	const opsRoutes = mountedRoutes()
		.filter((route) => / \/ops\/(?!console)/.test(route))
		.map((route) => route.split(" ") as [string, string])
		.map(([method, path]) => [method, path.replace(":verb", "cancel").replaceAll(/:\w+/g, "x")] as const);

	const BAD_TOKENS: Record<string, Record<string, string>> = {
		missing: {},
		empty: { authorization: "" },
		"no token": { authorization: "Bearer " },
		wrong: { authorization: `Bearer ${"0".repeat(48)}` },
		short: { authorization: "Bearer 3" },
		"cut by one": { authorization: `Bearer ${env.OPS_TOKEN!.slice(0, -1)}` },
		"longer by one": { authorization: `Bearer ${env.OPS_TOKEN}0` },
		"without its scheme": { authorization: env.OPS_TOKEN! },
		"under Basic": { authorization: `Basic ${btoa(`ops:${env.OPS_TOKEN}`)}` },
		"twice in one": { authorization: `Bearer ${env.OPS_TOKEN} ${env.OPS_TOKEN}` },
		"in x-gw": { "x-gw": env.OPS_TOKEN! },
		"of a partner": {},
	};

	test("there are ops routes to try", () => {
		expect(opsRoutes.length).toBeGreaterThanOrEqual(8);
	});

	beforeAll(async () => {
		const { key } = await Partner.create();
		BAD_TOKENS["of a partner"] = { authorization: `Bearer ${key}`, "x-gw": key };
	});

	const texts = new Set<string>();
	test.for(opsRoutes)("%s %s refuses every bad token with one and the same 401", async (route) => {
		const [method, path] = route;
		for (const headers of byTurns(Object.values(BAD_TOKENS), 4, opsRoutes.indexOf(route))) {
			const answer = await call(method, path, sendable(method, headers));
			expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
			expect(Object.keys(answer.body)).toEqual(["success", "error", "message"]);
			expect(answer.body.error).toBe("UNAUTHORIZED");
			texts.add(answer.text);
		}
		expect(texts.size).toBe(1);
	});

	const WITHOUT_OPS = [{ OPS_TOKEN: undefined }, { OPS_TOKEN: "" }].flatMap((without) =>
		[{}, { authorization: `Bearer ${env.OPS_TOKEN}` }, { authorization: "Bearer " }].map(
			(headers) => [without, headers] as const,
		),
	);

	test.for(opsRoutes)("%s %s is not there when ops have no way in", async (route) => {
		const [method, path] = route;
		for (const [without, headers] of byTurns(WITHOUT_OPS, 6, opsRoutes.indexOf(route))) {
			const unknown = await callWith(without, "GET", "/ops/v1/nothing");
			const answer = await callWith(without, method, path, sendable(method, headers));
			expect([answer.status, answer.text]).toEqual([404, unknown.text]);
		}
	});

	test("the scheme is read without regard to case (RFC 9110 §11.1)", async () => {
		for (const scheme of ["Bearer", "bearer", "BEARER"]) {
			const headers = { authorization: `${scheme} ${env.OPS_TOKEN}` };
			expect((await call("GET", "/ops/v1/partners", { headers })).status).toBe(200);
		}
	});
});

function send(route: PartnerRoute, { headers = [], query = "" }: Credentials): Promise<Answer> {
	const sent = new Headers({ "content-type": "application/json", "x-request-id": "the-same" });
	for (const [name, value] of headers) sent.append(name, value);
	const search = [route.query?.slice(1), query].filter(Boolean).join("&");
	return call(route.method, route.path + (search && `?${search}`), {
		headers: sent,
		...(route.body && { body: JSON.stringify(route.body) }),
	});
}

function sendable(method: string, headers: Record<string, string>) {
	const sent = { ...headers, "content-type": "application/json" };
	return method === "GET" || method === "DELETE" ? { headers: sent } : { headers: sent, body: "{}" };
}

/** Changes nothing of the bindings: all its calls are to one deployment. */
const AS_IS = {};

/** A call whose work after the answer is over when this returns. */
async function use(key: string): Promise<void> {
	forgetKeys();
	await callWith(AS_IS, "GET", "/api/partner/v1/pcodes", { headers: { "x-gw": key } });
}

function xGw(key: string) {
	return { headers: [["x-gw", key]] as [string, string][] };
}

async function aKey(): Promise<string> {
	return (await Partner.create()).manageKey();
}

/** A key that may do everything, were it not for one column. */
async function limitedKey(column: "expires_at" | "allowed_cidrs", value: unknown): Promise<string> {
	const key = await aKey();
	await execute(`UPDATE api_keys SET ${column} = ? WHERE hash = ?`, value, await hashApiKey(key));
	return key;
}

async function revokedKey(): Promise<string> {
	const { id, key } = await Partner.create();
	const { keys } = (await ops("GET", `/partners/${id}`)).body.data;
	await ops("DELETE", `/partners/${id}/keys/${keys[0].id}`);
	return key;
}

async function suspendedPartnersKey(): Promise<string> {
	const partner = await Partner.create();
	await partner.change({ suspended: true });
	return partner.key;
}

async function registeredProdKey(): Promise<string> {
	const { id } = await Partner.create();
	const key = await createApiKey("prod");
	await insertKey(id, key);
	return key;
}

async function insertKey(partnerId: string, key: string): Promise<void> {
	const hash = await hashApiKey(key);
	await enterKey(openRegister(env.DB), hash, partnerId);
	await execute(
		"INSERT INTO api_keys (id, partner_id, hash, label, created_at) VALUES (?, ?, ?, ?, ?)",
		...[`key_${crypto.randomUUID()}`, partnerId, hash, "test", Date.now()],
	);
}

function withOtherLastSymbol(key: string): string {
	return key.slice(0, -1) + (key.endsWith("7") ? "8" : "7");
}

function withOtherFirstSymbol(key: string): string {
	return `gw_dev_${key[7] === "7" ? "8" : "7"}${key.slice(8)}`;
}

/** Headers without the clock of the call. */
function comparable(headers: Headers): [string, string][] {
	return [...headers].filter(([name]) => name !== "server-timing");
}
