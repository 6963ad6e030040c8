import { beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../../../src/domain/durations.ts";
import { passTime, stopClock } from "../../../../support/clock.ts";
import { execute } from "../../../../support/db.ts";
import { everyPage } from "../../../../support/every-page.ts";
import { interceptDb } from "../../../../support/failing-db.ts";
import { refusal } from "../../../../support/refusal.ts";
import { type Answer, call, freshService, ops, Partner, withJson } from "../../../../support/service.ts";

beforeEach(freshService);
beforeEach(stopClock);

const statusWith = async (key: string, headers = {}) =>
	(await call("GET", "/api/partner/v1/pcodes", { headers: { "x-gw": key, ...headers } })).status;
const keysOf = async (partner: Partner) => (await partner.desk("GET", "/keys")).body.data.keys;
const make = async (partner: Partner, body: object) => (await partner.desk("POST", "/keys", body)).body.data;
const rotate = (partner: Partner, { id }: { id: string }, body: object) =>
	partner.desk("POST", `/keys/${id}/rotate`, body);
const managerOf = async (partner: Partner) =>
	(await keysOf(partner)).find(({ label }: { label: string }) => label === "everything");
const inMinutes = (n: number) => new Date(Date.now() + n * MINUTE_MS).toISOString();

describe("POST /keys", () => {
	test("a key of what was asked for, shown once, in the list from then on", {
		tags: ["key-scopes", "key-several"],
	}, async () => {
		const partner = await Partner.create();
		const wanted = {
			label: "kiosk 7",
			scopes: ["read", "codes"],
			expires_at: inMinutes(10),
			allowed_cidrs: ["203.0.113.77/24", "2001:DB8::1"],
		};
		const { status, body } = await partner.desk("POST", "/keys", wanted);
		expect(status).toBe(201);
		expect(body.data.key).toMatchObject({
			...wanted,
			scopes: ["codes", "read"],
			allowed_cidrs: ["203.0.113.0/24", "2001:db8::1/128"],
			revoked_at: null,
		});
		expect((await keysOf(partner)).at(-1)).toEqual(body.data.key);
		expect(JSON.stringify(await keysOf(partner))).not.toContain(body.data.api_key);
	});

	test("a label alone: every scope but manage, no end, any address, like a key of ops", {
		tags: ["key-default-scopes"],
	}, async () => {
		const partner = await Partner.create();
		const own = (await make(partner, { label: "own" })).key;
		const theirs = (await ops("POST", `/partners/${partner.id}/keys`, { label: "ops" })).body.data.key;
		const usual = { scopes: ["codes", "redeem", "read"], expires_at: null, allowed_cidrs: null };
		for (const key of [own, theirs]) expect(key).toMatchObject(usual);
	});
});

test("a key that makes or rotates another gives it no more than it has itself: 406 WIDER_KEY", {
	tags: ["key-wider"],
}, async () => {
	const partner = await Partner.create();
	await partner.manageKey();
	const added = await make(partner, { label: "desk", scopes: ["manage"] });
	const by = (path: string, body: object) =>
		call("POST", `/api/partner/v1/keys${path}`, withJson({ "x-gw": added.api_key }, body));
	const { id } = await managerOf(partner);
	const wider = [await by("", { label: "a" }), await by(`/${id}/rotate`, { label: "a" })];
	const rule = [406, "VALIDATION_ERROR", "WIDER_KEY"];
	expect(wider.map(refusal)).toEqual([rule, rule]);
	expect(await keysOf(partner)).toHaveLength(3);
	const within = [
		await by("", { label: "a", scopes: ["read"] }),
		await by(`/${added.key.id}/rotate`, { label: "b" }),
	];
	expect(within.map(({ status }) => status)).toEqual([201, 201]);
});

test("a key is refused from other addresses, without one and from its end on, also while it is cached", {
	tags: ["key-addresses", "key-expiry"],
}, async () => {
	const partner = await Partner.create();
	const limits = { allowed_cidrs: ["203.0.113.0/24"], expires_at: inMinutes(1) };
	const { api_key, key } = await make(partner, { label: "a", ...limits });
	const from = (address: string) => statusWith(api_key, { "cf-connecting-ip": address });
	expect(await from("203.0.114.1")).toBe(401);
	const unused = (await keysOf(partner)).find(({ id }: { id: string }) => id === key.id);
	expect(unused.last_used_at).toBeNull();
	expect([await from("203.0.113.1"), await from("203.0.114.1")]).toEqual([200, 401]);
	expect([await statusWith(api_key), await from("203.0.113.1")]).toEqual([401, 200]);
	passTime(MINUTE_MS - 1);
	expect(await from("203.0.113.1")).toBe(200);
	passTime(1);
	expect(await from("203.0.113.1")).toBe(401);
});

describe("rotation and revocation", () => {
	test("the successor has the rights of the old key, which ends after the overlap", {
		tags: ["key-rotation"],
	}, async () => {
		const partner = await Partner.create();
		const rights = { scopes: ["codes"], expires_at: inMinutes(600), allowed_cidrs: ["10.0.0.0/8"] };
		const old = (await make(partner, { label: "a", ...rights })).key;
		const { status, body } = await rotate(partner, old, { label: "b", overlap_hours: 1 });
		expect(status).toBe(201);
		expect(body.data.key).toMatchObject({ label: "b", ...rights });
		expect(body.data.replaces).toEqual({ ...old, revoked_at: inMinutes(60) });
		const second = await rotate(partner, old, { label: "b" });
		expect(second.body.data.replaces).toEqual(body.data.replaces);
		const again = await rotate(partner, body.data.key, { label: "c", expires_at: null });
		expect(again.body.data.key.expires_at).toBeNull();
		// One that ends sooner than the overlap keeps its end.
		const once = await rotate(partner, old, { label: "c", overlap_hours: 2 });
		expect(once.body.data.replaces.revoked_at).toBe(inMinutes(60));
		passTime(60 * MINUTE_MS);
		expect(refusal(await rotate(partner, old, { label: "d" }))).toEqual([404, "NOT_FOUND"]);
	});

	test("revoked, it is refused at once; again changes nothing; the audit names the key that did it", {
		tags: ["key-revoked"],
	}, async () => {
		const partner = await Partner.create();
		await partner.manageKey();
		const { api_key, key } = await make(partner, { label: "a" });
		expect(await statusWith(api_key)).toBe(200);
		const revoked = await partner.desk("DELETE", `/keys/${key.id}`);
		expect([revoked.status, revoked.body.data.key.revoked_at]).toEqual([200, new Date().toISOString()]);
		expect(await statusWith(api_key)).toBe(401);
		passTime(MINUTE_MS);
		expect((await partner.desk("DELETE", `/keys/${key.id}`)).body).toEqual(revoked.body);
		const by = { outcome: key.id, actor: `partner:${(await managerOf(partner)).id}` };
		const { events } = (await ops("GET", `/audit/partner:${partner.id}`)).body.data;
		expect(events.slice(-2)).toMatchObject([
			{ action: "key_added", ...by },
			{ action: "key_revoked", ...by },
		]);
	});

	test("the last key of manage without an end cannot be revoked or given one by the partner; by ops it can", {
		tags: ["key-last-manage"],
	}, async () => {
		const partner = await Partner.create();
		await partner.manageKey();
		const manager = await managerOf(partner);
		await make(partner, { label: "for a day", scopes: ["manage"], expires_at: inMinutes(1_440) });
		const refused = [
			await partner.desk("DELETE", `/keys/${manager.id}`),
			await rotate(partner, manager, { label: "b", expires_at: inMinutes(60) }),
		];
		const rule = [406, "VALIDATION_ERROR", "LAST_MANAGE_KEY"];
		expect(refused.map(refusal)).toEqual([rule, rule]);
		expect(await keysOf(partner)).toHaveLength(3);
		const rotated = await rotate(partner, manager, { label: "b", overlap_hours: 0 });
		expect([rotated.status, await statusWith(rotated.body.data.api_key)]).toEqual([201, 200]);
		const path = `/partners/${partner.id}/keys/${rotated.body.data.key.id}`;
		expect((await ops("DELETE", path)).status).toBe(200);
	});

	test("two that revoke each other at once: one stays", { tags: ["key-last-manage"] }, async () => {
		const partner = await Partner.create();
		const own = await partner.manageKey();
		const second = await make(partner, { label: "b", scopes: ["manage"] });
		const [, first] = await keysOf(partner);
		const revoke = (id: string, key: string) =>
			call("DELETE", `/api/partner/v1/keys/${id}`, { headers: { "x-gw": key } });
		let faster = null as Answer | null;
		const slower = await interceptDb(
			async (_, deliver, sql) => {
				if (faster === null && sql.includes('insert into "audit_events"')) {
					faster = {} as Answer;
					faster = await revoke(second.key.id, own);
				}
				return deliver();
			},
			() => revoke(first.id, second.api_key),
		);
		expect([faster!.status, slower.status]).toEqual([200, 406]);
	});

	test("at most 100 keys are in force", { tags: ["key-several"] }, async () => {
		const partner = await Partner.create();
		await partner.manageKey();
		await execute(
			`WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
			INSERT INTO api_keys (id, partner_id, hash, label, created_at) SELECT 'key_' || i, ?, i, 'a', 1 FROM n`,
			partner.id,
		);
		const refused = await partner.desk("POST", "/keys", { label: "a" });
		expect(refusal(refused)).toEqual([406, "VALIDATION_ERROR", "TOO_MANY_KEYS"]);
	});
});

describe("ended keys", () => {
	test("they are listed in pages, the latest first, apart from those in force, and deleted after 90 days", {
		tags: ["key-ended"],
	}, async () => {
		const [partner, other] = [await Partner.create(), await Partner.create()];
		await partner.manageKey();
		const ended: string[] = [];
		for (const label of ["a", "b", "c", "d", "e"]) {
			const { id } = (await make(partner, { label, expires_at: inMinutes(9) })).key;
			ended.unshift(id);
			// The last one ends by itself, after the others.
			if (label !== "e") await partner.desk("DELETE", `/keys/${id}`);
			passTime(MINUTE_MS);
		}
		passTime(9 * MINUTE_MS);
		expect((await keysOf(partner)).map(({ label }: { label: string }) => label)).toEqual([
			"first key",
			"everything",
		]);
		const pages = await everyPage(async (from) => {
			const query = new URLSearchParams({ limit: "2", ...from });
			const { keys, next } = (await partner.desk("GET", `/ended_keys?${query}`)).body.data;
			return { ids: keys.map(({ id }: { id: string }) => id), next };
		});
		expect(pages.map(({ ids }) => ids)).toEqual([ended.slice(0, 2), ended.slice(2, 4), ended.slice(4)]);
		const ofOps = (await ops("GET", `/partners/${partner.id}/ended_keys`)).body.data.keys;
		expect(ofOps.map(({ id }: { id: string }) => id)).toEqual(ended);
		expect((await other.desk("GET", "/ended_keys")).body.data).toEqual({ keys: [], next: null });
		// Revoking one that has ended changes nothing.
		const again = await partner.desk("DELETE", `/keys/${ended[4]}`);
		expect([again.status, again.body.data.key.id]).toEqual([200, ended[4]]);

		passTime(90 * DAY_MS - 9 * MINUTE_MS);
		await ops("POST", "/upkeep/forget-console-sessions", {});
		const left = (await partner.desk("GET", "/ended_keys")).body.data.keys;
		expect(left.map(({ id }: { id: string }) => id)).toEqual(ended.slice(0, 1));
		expect(await keysOf(partner)).toHaveLength(2);
	});

	test("a partner changes its keys 60 times an hour at most, ops as often as they want", {
		tags: ["key-changes-rate"],
	}, async () => {
		const partner = await Partner.create();
		await partner.manageKey();
		const [first] = await keysOf(partner);
		const [{ key }, ended] = [await make(partner, { label: "a" }), await make(partner, { label: "b" })];
		await partner.desk("DELETE", `/keys/${ended.key.id}`);
		passTime(MINUTE_MS);
		for (let changes = 3; changes < 60; changes++)
			await rotate(partner, key, { label: "a", overlap_hours: 1, expires_at: inMinutes(1) });
		passTime(MINUTE_MS);
		const refused = [
			await partner.desk("POST", "/keys", { label: "b" }),
			await rotate(partner, key, { label: "b" }),
			await partner.desk("DELETE", `/keys/${first.id}`),
		];
		for (const answer of refused) {
			expect(refusal(answer)).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
			expect(answer.headers.get("retry-after")).toBe(String(58 * 60));
		}
		expect((await ops("POST", `/partners/${partner.id}/keys`, { label: "of ops" })).status).toBe(201);
		passTime(58 * MINUTE_MS - 1);
		expect((await partner.desk("POST", "/keys", { label: "b" })).status).toBe(429);
		passTime(1);
		expect((await partner.desk("POST", "/keys", { label: "b" })).status).toBe(201);
	});
});
