import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { forgetKeys } from "../../../src/db/api-keys.ts";
import { MINUTE_MS } from "../../../src/domain/durations.ts";
import { createApiKey } from "../../../src/secrets/api-key.ts";
import { passTime, startClock, stopClock } from "../../support/clock.ts";
import { BOUND } from "../../support/db.ts";
import { failingFrom, interceptDb, tripsDuring } from "../../support/failing-db.ts";
import { selectOfNobody } from "../../support/look-inside.ts";
import { encodeRequest } from "../../support/ocsp-client.ts";
import { withinOneMinute } from "../../support/one-minute.ts";
import { CRL, responder } from "../../support/pki.ts";
import { type Answer, call, callWith, freshService, Partner } from "../../support/service.ts";
import { mountedRoutes } from "./partner-routes.ts";

/* Calls open to anybody without a key, at any rate, and their cost to the service. */

const PATH = "/api/partner/v1/pcodes";
const LIMIT = 60;

let addresses = 0;

beforeAll(freshService);
beforeEach(() => {
	forgetKeys();
	stopClock();
});

/** One that no other test calls from: the local rate limit counts by the wall clock, which no test can set. */
function newAddress(): string {
	addresses++;
	return `198.18.${addresses >> 8}.${addresses & 255}`;
}

function inventedKeys(count: number): Promise<string[]> {
	return Promise.all(Array.from({ length: count }, () => createApiKey("dev")));
}

function send(key: string, address?: string): Promise<Answer> {
	return call("GET", PATH, { headers: { "x-gw": key, ...(address && { "cf-connecting-ip": address }) } });
}

function statusesOf(answers: readonly Answer[]): Record<number, number> {
	const statuses: Record<number, number> = {};
	for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
	return statuses;
}

async function presentInTurn(keys: readonly string[], address: string): Promise<Answer[]> {
	const answers: Answer[] = [];
	for (const key of keys) answers.push(await send(key, address));
	return answers;
}

describe('decision "Before the key": failed look-ups of well-formed keys, 60 a minute per address', () => {
	test("150 invented keys at once: 60 queries, then 429", {
		tags: ["address-unknown-keys", "address-answer"],
	}, async () => {
		const address = newAddress();
		const keys = await inventedKeys(150);
		const [answers, queries] = await tripsDuring(() => Promise.all(keys.map((key) => send(key, address))));
		expect(statusesOf(answers)).toEqual({ 401: LIMIT, 429: 90 });
		expect(queries).toHaveLength(LIMIT);
		const refused = answers.find(({ status }) => status === 429)!;
		expect(refused.body).toEqual({
			success: false,
			error: "RATE_LIMIT_EXCEEDED",
			message:
				"Too many unknown API keys came from this IP address. Wait the number of seconds in the Retry-After header.",
		});
		expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
		expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
		expect([refused.headers.get("ratelimit"), refused.headers.get("ratelimit-policy")]).toEqual([null, null]);
	});

	test("over it, cached keys of the address go on, uncached ones wait for the minute's end, other addresses do not", {
		tags: ["order-address-before-key"],
	}, async () => {
		const [cached, uncached] = [await Partner.create(), await Partner.create()];
		const address = newAddress();
		expect((await send(cached.key, address)).status).toBe(200);
		await presentInTurn(await inventedKeys(LIMIT + 1), address);
		const [{ status }, queries] = await tripsDuring(() => send(uncached.key, address));
		expect([status, queries]).toEqual([429, []]);
		expect((await send(cached.key, address)).status).toBe(200);
		expect((await send(uncached.key, newAddress())).status).toBe(200);
		forgetKeys();
		passTime(MINUTE_MS);
		expect((await send(uncached.key, address)).status).toBe(200);
	});

	test("good keys do not count, however many and however cold the cache", async () => {
		const partner = await Partner.create();
		const address = newAddress();
		for (let call = 0; call < LIMIT + 10; call++) {
			forgetKeys();
			expect((await send(partner.key, address)).status).toBe(200);
		}
		forgetKeys();
		const atOnce = await Promise.all(Array.from({ length: LIMIT + 10 }, () => send(partner.key, address)));
		expect(statusesOf(atOnce)).toEqual({ 200: LIMIT + 10 });
	});

	test("malformed keys never reach D1 and do not count", { tags: ["key-checksum"] }, async () => {
		const address = newAddress();
		const malformed = (await inventedKeys(150)).map((key) => key.slice(0, -1));
		const [answers, queries] = await tripsDuring(() => presentInTurn(["", ...malformed], address));
		expect([statusesOf(answers), queries]).toEqual([{ 401: 151 }, []]);
		expect((await send((await Partner.create()).key, address)).status).toBe(200);
	});

	test("an IPv6 network of 64 bits is one address, an IPv4 address in IPv6 form is itself", async () => {
		const hosts = (await inventedKeys(LIMIT + 1)).map((key, host) => [
			key,
			`2001:db8:7:1::${host.toString(16)}`,
		]);
		for (const [key, address] of hosts) await send(key!, address);
		const [one, other] = await inventedKeys(2);
		expect((await send(one!, "2001:0db8:0007:0001:ffff::1")).status).toBe(429);
		expect((await send(one!, "2001:db8:7:2::1")).status).toBe(401);
		const address = newAddress();
		await presentInTurn(await inventedKeys(LIMIT + 1), address);
		expect((await send(other!, `::ffff:${address}`)).status).toBe(429);
	});

	test("failed look-ups of other isolates count: the platform's binding says so", async () => {
		startClock();
		const [statuses, queries] = await withinOneMinute(async () => {
			const address = newAddress();
			for (let i = 0; i < LIMIT; i++) await env.ADDRESS_KEY_RATE.limit({ key: address });
			const keys = await inventedKeys(5);
			const [answers, trips] = await tripsDuring(() => presentInTurn(keys, address));
			return [statusesOf(answers), trips.length];
		});
		expect([statuses, queries]).toEqual([{ 401: 1, 429: 4 }, 1]);
	});

	test("a binding that fails holds nobody back beyond this isolate's own count", async () => {
		const broken = { ADDRESS_KEY_RATE: { limit: () => Promise.reject(new Error("inner text")) } };
		const [address, statuses] = [newAddress(), [] as number[]];
		for (const key of await inventedKeys(LIMIT + 1)) {
			const headers = { "x-gw": key, "cf-connecting-ip": address };
			statuses.push((await callWith(broken, "GET", PATH, { headers })).status);
		}
		expect(new Set(statuses.slice(0, LIMIT))).toEqual(new Set([401]));
		expect(statuses.at(-1)).toBe(429);
	});

	test("a look-up that D1 does not answer is no failed one", async () => {
		vi.spyOn(console, "error").mockImplementation(() => {});
		const address = newAddress();
		const keys = await inventedKeys(LIMIT + 10);
		const answers = await failingFrom(1, "is lost", () => presentInTurn(keys, address));
		expect(statusesOf(answers)).toEqual({ 503: LIMIT + 10 });
		expect((await send((await Partner.create()).key, address)).status).toBe(200);
	});
});

describe("every route that is mounted, asked from one address that has no key", () => {
	const ADMITTED = 1;
	/** Every other one is signed in. */
	const CALLS = 2 * (ADMITTED + 2);
	const PAGES = /^\/(?:revocar|instalar|correo|console|ops\/console|widget\/sign_on)/;
	const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

	/** Each limit by address, of a few calls: the simulated bindings take milliseconds a call. */
	function fewCalls(): object {
		const names = Object.keys(env).filter((name) => /^ADDRESS_\w+_RATE$/.test(name));
		expect(names.length).toBeGreaterThan(3);
		return Object.fromEntries(
			names.map((name) => {
				let calls = 0;
				return [name, { limit: async () => ({ success: ++calls <= ADMITTED }) }];
			}),
		);
	}

	/**
	 * A call with all that a stranger can make up: ids and credentials of the right form, a form of an own page.
	 * @param isSignedIn - with an invented session of the console
	 */
	async function inventCall(route: string, visitor: { cookie: string; csrf: string }, isSignedIn: boolean) {
		const [method = "", pattern = ""] = route.split(" ");
		const path = pattern
			.replaceAll(/:id\b/g, () => `os_${random(16).toHex()}`)
			.replaceAll(/:keyId\b/g, CRL.split("/")[1]!)
			.replaceAll(/:\w+(?:\{[^}]*\})?|\*/g, () => random(16).toHex());
		const [key] = await inventedKeys(1);
		const token = random(32).toBase64({ alphabet: "base64url", omitPadding: true });
		const headers: Record<string, string> = {
			"x-gw": key!,
			authorization: `Bearer wt_${token}`,
			"sec-fetch-site": "same-origin",
			cookie: isSignedIn ? `console=${token}.${token}; ${visitor.cookie}` : visitor.cookie,
		};
		if (method === "GET" || method === "DELETE") return { method, path, headers };
		if (path.startsWith("/pki/")) {
			const serial = `7A${random(15).toHex().toUpperCase()}`;
			return { method, path, headers, body: encodeRequest(responder, [{ serial }]) };
		}
		const state = `os_${random(16).toHex()}.${token}`;
		const form = { csrf: visitor.csrf, key: key!, state, code: "123456789012", rut: "11111111-1" };
		if (PAGES.test(path)) return { method, path, headers, body: new URLSearchParams(form) };
		return { method, path, headers: { ...headers, "content-type": "application/json" }, body: "{}" };
	}

	/** A browser that was given a cookie and a form, as anybody is. */
	async function visit(page: string) {
		const { headers, text } = await call("GET", page);
		const [cookie = ""] = headers.getSetCookie().map((set) => set.split(";")[0]!);
		return { cookie, csrf: /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? "" };
	}

	test("asks D1 no more often than its limit, whatever it makes up; what asks at all is limited", {
		tags: ["address-every-route", "address-readyz"],
	}, async () => {
		const unlimited: string[] = [];
		const limited: string[] = [];
		const visitors = { console: await visit("/console/sign_in"), others: await visit("/revocar") };
		for (const route of mountedRoutes()) {
			const [address, rates] = [newAddress(), fewCalls()];
			const visitor = visitors[route.includes(" /console") ? "console" : "others"];
			forgetKeys();
			let asking = 0;
			let status = 0;
			// A route that made no trip at its first two calls, without a session and with one, is done.
			for (let i = 0; i < CALLS && (i < 2 || asking > 0); i++) {
				const { method, path, headers, ...rest } = await inventCall(route, visitor, i % 2 === 1);
				const url = `http://service.test${path}`;
				const init = { ...rest, headers: { ...headers, "cf-connecting-ip": address } };
				const [answer, trips] = await tripsDuring(() => callWith(rates, method, url, init));
				if (trips.length > 0) asking++;
				status = answer.status;
			}
			// An unknown key is counted once D1 has not found it.
			if (asking > ADMITTED + 1) unlimited.push(route);
			else if (asking > 0) limited.push(`${status} ${route}`);
		}
		expect(unlimited).toEqual([]);
		expect(await selectOfNobody("SELECT id FROM sent_forms")).toEqual([]);
		for (const known of [
			"GET /readyz",
			"GET /revocar/certificado",
			"POST /revocar/codigo",
			"POST /console/sign_in",
		])
			expect(limited).toContain(`429 ${known}`);
		expect(limited.length).toBeGreaterThan(40);
	});

	test("an invented cookie of /revocar asks D1 nothing; one of the service asks", async () => {
		const { cookie } = await visit("/revocar");
		const open = (value: string) => call("GET", "/revocar/certificado", { headers: { cookie: value } });
		const invented = random(32).toBase64({ alphabet: "base64url", omitPadding: true });
		const [name, value = ""] = cookie.split("=");
		for (const [sent, asks] of [
			[`${name}=${invented}`, 0],
			[`${name}=${invented}.${invented}`, 0],
			[`${name}=${invented}.${value.split(".")[1]}`, 0],
			[cookie, 1],
		] as const) {
			const [{ status }, trips] = await tripsDuring(() => open(sent));
			expect([sent, status, trips.length]).toEqual([sent, 303, asks]);
		}
	});
});

test("a look-up that never ends holds up others with its key for a quarter of a second at most", async () => {
	const { key } = await Partner.create();
	const { promise: released, resolve: release } = Promise.withResolvers<void>();
	let trips = 0;
	const began = performance.now();
	await interceptDb(
		(nth, deliver) => {
			trips = nth;
			return nth === 1 ? released.then(deliver) : deliver();
		},
		async () => {
			const first = send(key);
			await vi.waitUntil(() => trips > 0);
			const second = await Promise.all(Array.from({ length: LIMIT + 10 }, () => send(key, newAddress())));
			expect(statusesOf(second)).toEqual({ 200: LIMIT + 10 });
			// Each list is a query; of the key there are the one that is held, one and the note of its use for each quarter.
			const quarters = Math.ceil((performance.now() - began) / 250);
			expect(trips - second.length).toBeLessThanOrEqual(1 + 2 * quarters);
			release();
			expect((await first).status).toBe(200);
		},
	);
});

test("while no look-up ends, each call with the key begins its own after two quarters of a second at most", async () => {
	const { key } = await Partner.create();
	const { promise: released, resolve: release } = Promise.withResolvers<void>();
	const CALLS = 250;
	let trips = 0;
	await interceptDb(
		(nth, deliver) => {
			trips = nth;
			return released.then(deliver);
		},
		async () => {
			const calls = Array.from({ length: CALLS }, () => send(key, newAddress()));
			// One by one, each a quarter of a second after the one before, they would take a minute, which is beyond the poll's patience.
			await vi.waitUntil(() => trips === CALLS);
			release();
			expect(statusesOf(await Promise.all(calls))).toEqual({ 200: CALLS });
		},
	);
});

test("an unknown key is remembered for five seconds: repeating it costs no query and counts once", async () => {
	const [key] = await inventedKeys(1);
	const address = newAddress();
	const repeated = Array.from({ length: 100 }, () => key!);
	const [answers, queries] = await tripsDuring(() => presentInTurn(repeated, address));
	expect([statusesOf(answers), queries.length]).toEqual([{ 401: 100 }, 1]);
	passTime(5_000);
	const [, again] = await tripsDuring(() => send(key!, address));
	expect(again).toHaveLength(1);
});

describe("OCSP questions that reach D1: 600 a minute per address, then 429", () => {
	const ADMITTED = 5;

	/** A binding that admits a few: the simulated one takes milliseconds a call, and its limit is in wrangler.toml. */
	function countingRate() {
		const calls = new Map<string, number>();
		const limit = async ({ key }: { key: string }) => {
			calls.set(key, (calls.get(key) ?? 0) + 1);
			return { success: calls.get(key)! <= ADMITTED };
		};
		return { ADDRESS_OCSP_RATE: { limit } };
	}

	function ask(rate: object, address: string, der: Uint8Array): Promise<Answer> {
		const headers = { "content-type": "application/ocsp-request", "cf-connecting-ip": address };
		return callWith(rate, "POST", "/pki/ocsp", { headers, body: new Uint8Array(der) });
	}

	test("beyond it, tryLater with Retry-After and no query; other addresses go on", {
		tags: ["address-ocsp"],
	}, async () => {
		const [rate, address] = [countingRate(), newAddress()];
		const question = () =>
			encodeRequest(responder, [
				{ serial: `7A${crypto.getRandomValues(new Uint8Array(15)).toHex().toUpperCase()}` },
			]);
		const responses: Answer[] = [];
		const [, queries] = await tripsDuring(async () => {
			for (let i = 0; i < 2 * ADMITTED; i++) responses.push(await ask(rate, address, question()));
		});
		expect(responses.map(({ status }) => status)).toEqual([
			...Array(ADMITTED).fill(200),
			...Array(ADMITTED).fill(429),
		]);
		expect(queries).toHaveLength(BOUND.length * ADMITTED);
		const { headers, text } = responses.at(-1)!;
		expect([headers.get("retry-after"), headers.get("content-type")]).toEqual([
			"60",
			"application/ocsp-response",
		]);
		expect(text).toBe("0\u0003\n\u0001\u0003");
		expect((await ask(rate, newAddress(), question())).status).toBe(200);
	});

	test("questions about other certificates do not count", async () => {
		const [rate, address] = [countingRate(), newAddress()];
		for (let i = 0; i < 2 * ADMITTED; i++)
			expect((await ask(rate, address, new Uint8Array([0x30, i]))).status).toBe(200);
		const question = encodeRequest(responder, [{ serial: "7A".repeat(16) }]);
		expect((await ask(rate, address, question)).status).toBe(200);
	});
});
