import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { chainHash, digestRows } from "../../../src/db/audit-events.ts";
import { DAY_MS, HOUR_MS } from "../../../src/domain/durations.ts";
import { beginLog } from "../../../src/jobs/audit/digest-log.ts";
import { entryOf, findFaults as faults, insertEvent } from "../../support/audit-faults.ts";
import { stopClock } from "../../support/clock.ts";
import { BOUND, execute, openRegister } from "../../support/db.ts";
import { rowsReadDuring } from "../../support/failing-db.ts";
import { type Row, select } from "../../support/look-inside.ts";
import { openPlaces } from "../../support/places.ts";
import { emptyBucket, freshService, JUANA, ops, Partner, PEDRO } from "../../support/service.ts";
import { keepDatabase, setDatabaseBack } from "../../support/set-back.ts";

/* Attacks by somebody who can write D1, but cannot write to R2 and does not have AUDIT_KEY. */

const NOON = Date.parse("2031-03-10T12:00:00Z");
const FIRST_MIDNIGHT = NOON - DAY_MS / 2;
const at = (time: number) => vi.setSystemTime(time);

let partner: Partner;
/** Issued on the first day. */
let pCode: string;

/**
 * A register whose first day, of 13 rows or so, has its digest; each test has it at noon of the second. The log is begun here: a
 * call that another file left under way can write a row after the reset, at the real time, years before.
 */
beforeAll(async () => {
	await freshService();
	stopClock();
	at(NOON);
	const begun = { digestedFrom: FIRST_MIDNIGHT };
	expect(await beginLog(env.AUDIT, begun)).toEqual(begun);
	await liveThroughADay();
	at(NOON + DAY_MS);
	expect(await digest()).toMatchObject({ days: 1 });
	expect(await faults()).toEqual([]);
	await keepDatabase();
	for (const { key } of (await env.AUDIT.list()).objects) {
		const object = (await env.AUDIT.get(key))!;
		log.push([key, await object.arrayBuffer(), { customMetadata: object.customMetadata ?? {} }]);
	}
});

/** The log as it is then. */
const log: [key: string, value: ArrayBuffer, options: R2PutOptions][] = [];

beforeEach(async () => {
	stopClock();
	at(NOON + DAY_MS);
	await setDatabaseBack();
	await emptyBucket(env.AUDIT);
	for (const object of log) await env.AUDIT.put(...object);
});

async function liveThroughADay(): Promise<void> {
	partner = await Partner.create();
	await partner.change({ name: "Renamed" });
	const codes: string[] = (await partner.bulk(3)).body.data.pcodes;
	pCode = codes[0]!;
	await partner.request({ pCode, ...JUANA });
	await partner.claim(pCode, { pin: "0000" });
	expect((await partner.claim(pCode)).status).toBe(200);
	await partner.request({ pCode: codes[1], ...PEDRO });
}

async function digest(): Promise<{ days: number; rows: number }> {
	const { status, body, text } = await ops("POST", "/upkeep/digest-audit", {});
	expect([status, text]).toEqual([200, expect.any(String)]);
	return body.data.report;
}

/** Removes the triggers first, as the databases' owner can. */
async function tamper(sql: string, ...values: unknown[]): Promise<void> {
	for (const database of BOUND) {
		for (const name of ["never_change", "never_go", "never_replaced"])
			await database.prepare(`DROP TRIGGER IF EXISTS audit_events_${name}`).run();
		await database
			.prepare(sql)
			.bind(...values)
			.run();
	}
}

async function logged(): Promise<Row[]> {
	return (await ops("GET", "/digests")).body.data.digests;
}

const FIRST_DAY = "digest:2031-03-10:partner@1 contradicted";

test("each day gets one digest, an hour after its end, of all its rows and no others", async () => {
	const rows = await select(
		"SELECT count(*) AS n FROM audit_events WHERE at >= ? AND at < ?",
		FIRST_MIDNIGHT,
		FIRST_MIDNIGHT + DAY_MS,
	);
	expect(await logged()).toMatchObject([
		{
			sequence: 1,
			from: "2031-03-10T00:00:00.000Z",
			until: "2031-03-11T00:00:00.000Z",
			rows: rows[0]!.n,
			digest: expect.stringMatching(/^[0-9a-f]{64}$/),
			restored_to: null,
			superseded: false,
		},
	]);
	await partner.change({ name: "On the second day" });
	const secondDaysEnd = NOON + 1.5 * DAY_MS;
	at(secondDaysEnd + HOUR_MS - 1);
	expect(await digest()).toEqual({ days: 0, rows: 0 });
	at(secondDaysEnd + HOUR_MS);
	expect(await digest()).toEqual({ days: 1, rows: 1 });
	expect(await digest()).toEqual({ days: 0, rows: 0 });
	at(NOON + 5 * DAY_MS);
	expect(await digest()).toEqual({ days: 3, rows: 0 });
	expect((await logged()).map(({ from, rows }) => [from.slice(0, 10), rows])).toEqual([
		["2031-03-10", rows[0]!.n],
		["2031-03-11", 1],
		["2031-03-12", 0],
		["2031-03-13", 0],
		["2031-03-14", 0],
	]);
	expect(await faults()).toEqual([]);
});

test("two runs at once take one digest", async () => {
	at(NOON + 2 * DAY_MS);
	const runs = await Promise.allSettled([digest(), digest()]);
	expect(runs.map(({ status }) => status)).toContain("fulfilled");
	await digest();
	expect((await logged()).map(({ sequence }) => sequence)).toEqual([1, 2]);
	expect(await faults()).toEqual([]);
});

test("the last row of a chain removed, and its entity put back, or both gone as a whole: the day's digest tells", async () => {
	await tamper("DELETE FROM audit_events WHERE entity = ? AND version = 3", `code:${pCode}`);
	await execute("UPDATE purchase_codes SET version = 2, issued_at = NULL WHERE code = ?", pCode);
	expect(await faults()).toEqual([FIRST_DAY]);
	await tamper("DELETE FROM audit_events WHERE entity = ?", `code:${pCode}`);
	await execute("DELETE FROM purchase_codes WHERE code = ?", pCode);
	expect(await faults()).toEqual([FIRST_DAY]);
});

test("a chain without an entity of its own cut short: the day's digest tells", async () => {
	at(NOON + DAY_MS);
	for (let i = 0; i < 3; i++) await ops("GET", `/evidence/${pCode}`);
	at(NOON + 2 * DAY_MS);
	await digest();
	await tamper("DELETE FROM audit_events WHERE entity = ? AND version = 3", `evidence:${pCode}`);
	expect(await faults()).toEqual(["digest:2031-03-11:partner@2 contradicted"]);
});

/** A row as it should be, but for the key; chained to the last of its entity. */
async function forge(change: { at?: number; mac?: string | null; version?: number } = {}): Promise<void> {
	const entity = `code:${pCode}`;
	const [last] = await select(
		"SELECT * FROM audit_events WHERE entity = ? ORDER BY version DESC LIMIT 1",
		entity,
	);
	const changed = { actor: "ops:ana@example.cl", action: "cancel", outcome: "never was" } as const;
	const version = last!.version + 1;
	const entry = entryOf(last!, { ...changed, version, at: change.at ?? Date.now(), step: null });
	await insertEvent(entry, last!.hash, await chainHash(entry, last!.hash), change.mac ?? null);
	await execute("UPDATE purchase_codes SET version = ? WHERE code = ?", version, pCode);
}

test("a row forged with its entity: without a mac, with another row's, with an invented one", async () => {
	await forge();
	expect(await faults()).toEqual(["code@4 unkeyed"]);
	const [other] = await select(
		"SELECT mac FROM audit_events WHERE entity = ? AND version = 3",
		`code:${pCode}`,
	);
	await forge({ mac: other!.mac });
	await forge({ mac: "A".repeat(43) });
	expect(await faults()).toEqual(["code@4 unkeyed", "code@5 forged", "code@6 forged"]);
});

test("a row forged into a day that has its digest, or into one before the audit", async () => {
	await forge({ at: NOON });
	expect(await faults()).toEqual(["code@4 unkeyed", FIRST_DAY]);
	await forge({ at: 0 });
	expect(await faults()).toEqual(["code@4 unkeyed", "code@5 unkeyed", FIRST_DAY]);
});

test("an altered row whose chain was hashed anew: every row of it has another's mac", async () => {
	const rows = await select("SELECT * FROM audit_events WHERE entity = ? ORDER BY version", `code:${pCode}`);
	await tamper("SELECT 1");
	let previous = "";
	for (const row of rows) {
		const entry = entryOf(row, { outcome: "tampered" });
		const hash = await chainHash(entry, previous);
		await execute(
			"UPDATE audit_events SET outcome = 'tampered', previous_hash = ?, hash = ? WHERE entity = ? AND version = ?",
			...[previous, hash, row.entity, row.version],
		);
		previous = hash;
	}
	expect(await faults()).toEqual(["code@1 forged", "code@2 forged", "code@3 forged", FIRST_DAY]);
});

test("a digest that is taken out of the log is missed", async () => {
	at(NOON + 3 * DAY_MS);
	await digest();
	await env.AUDIT.delete("digests/00000002");
	expect(await faults()).toEqual(["digest:2031-03-12@3 missing"]);
});

test("the log begins at once, with the first row's day", async () => {
	await emptyBucket(env.AUDIT);
	await tamper("DELETE FROM audit_events WHERE at < ?", FIRST_MIDNIGHT);
	expect(await digest()).toMatchObject({ days: 1 });
	const boundary = await (await env.AUDIT.get("boundary"))!.json();
	expect(boundary).toEqual({ digestedFrom: FIRST_MIDNIGHT });
});

test("a row without a mac is a fault before the log has begun, too", async () => {
	await emptyBucket(env.AUDIT);
	await forge();
	expect(await faults()).toEqual(["code@4 unkeyed"]);
	expect(await digest()).toMatchObject({ days: 1 });
	expect(await faults()).toEqual(["code@4 unkeyed"]);
});

test("D1 put back to an earlier time: contradicted until ops record it, then shown as what it was", async () => {
	const restoredTo = Date.now();
	at(NOON + 1.25 * DAY_MS);
	const later = await Partner.create();
	await later.bulk(2);
	at(NOON + 3 * DAY_MS);
	await digest();
	const tables = "api_keys webhook_secrets batches purchase_codes code_counts audit_events";
	for (const table of tables.split(" ")) await tamper(`DELETE FROM ${table} WHERE partner_id = ?`, later.id);
	await tamper("DELETE FROM partners WHERE id = ?", later.id);
	expect(await faults()).toEqual(["digest:2031-03-11:partner@2 contradicted"]);

	const body = { restored_to: new Date(restoredTo).toISOString(), reason: "a failed migration" };
	const { status } = await ops("POST", "/restores", body);
	expect(status).toBe(201);
	expect(await faults()).toEqual([]);
	expect(
		(await logged()).map(({ sequence, superseded, restored_to }) => [sequence, superseded, restored_to]),
	).toEqual([
		[1, false, null],
		[2, true, null],
		[3, true, null],
		[4, false, body.restored_to],
	]);
	const { events } = (await ops("GET", "/audit/restore:d1")).body.data;
	expect(events).toMatchObject([
		{ actor: "ops:token", action: "restore_recorded", outcome: `${body.restored_to} a failed migration` },
	]);

	at(NOON + 4 * DAY_MS);
	expect(await digest()).toEqual({ days: 1, rows: 1 });
	expect(await faults()).toEqual([]);
	await tamper("DELETE FROM audit_events WHERE entity = 'restore:d1'");
	expect(await faults()).toEqual(["digest:2031-03-13:DB@5 contradicted"]);
});

test("rows after a restore are compared with their own digest from then on", async () => {
	await partner.change({ name: "On the second day" });
	at(NOON + 2 * DAY_MS);
	await digest();
	await ops("POST", "/restores", { restored_to: new Date(NOON + DAY_MS).toISOString(), reason: "test" });
	await tamper("DELETE FROM audit_events WHERE entity = ? AND version = 3", `partner:${partner.id}`);
	await execute("UPDATE partners SET version = 2 WHERE id = ?", partner.id);
	expect(await faults()).toEqual(["digest:2031-03-11:partner@3 contradicted"]);
});

test("a second restore to a time within the first one's period: each day keeps a digest in force", async () => {
	at(NOON + 6 * DAY_MS);
	await digest();
	const restore = (day: number) =>
		ops("POST", "/restores", { restored_to: new Date(NOON + day * DAY_MS).toISOString(), reason: "test" });
	await restore(1);
	at(NOON + 8 * DAY_MS);
	await digest();
	await restore(4);
	const inForce = (await logged()).filter(({ superseded }) => !superseded);
	expect(
		inForce.map(({ sequence, from, until }) => [sequence, from.slice(0, 10), until.slice(0, 10)]),
	).toEqual([
		[1, "2031-03-10", "2031-03-11"],
		[10, "2031-03-11", "2031-03-18"],
	]);
	expect(await faults()).toEqual([]);
	await forge({ at: NOON + 2 * DAY_MS });
	expect(await faults()).toEqual(["code@4 unkeyed", "digest:2031-03-11:partner@10 contradicted"]);
});

test("a restore to what is no moment of the past is 400", async () => {
	for (const restored_to of ["2026-11-21", "yesterday", new Date(NOON + 40 * DAY_MS).toISOString(), null]) {
		const { status, body } = await ops("POST", "/restores", { restored_to, reason: "test" });
		expect([restored_to, status, body.details[0].field]).toEqual([restored_to, 400, "restored_to"]);
	}
	expect(await logged()).toHaveLength(1);
});

test("a bucket that fails: 503, and no verification ends as sound", async () => {
	const prototype = Object.getPrototypeOf(env.AUDIT);
	vi.spyOn(prototype, "head").mockRejectedValue(new Error("away"));
	vi.spyOn(prototype, "list").mockRejectedValue(new Error("away"));
	await expect(faults()).rejects.toThrow("SERVICE_UNAVAILABLE");
	expect((await ops("GET", "/digests")).status).toBe(503);
	expect((await ops("POST", "/upkeep/digest-audit", {})).status).toBe(503);
});

test("a day costs what it has, however much the audit holds: a few reads a partner, two a row", async () => {
	const values = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
		INSERT INTO audit_events (entity, version, partner_id, at, actor, action, outcome, request_id, previous_hash, hash)
		SELECT 'delivery:' || i, 1, 'pt_' || (i % 120), ${NOON} + (i / 2000) * ${DAY_MS}, 'a', 'b', 'c', 'd', '', 'hash' || i FROM n`;
	await openPlaces(...Array.from({ length: 120 }, (_, n) => `pt_${n}`));
	await execute(values);
	const from = NOON - DAY_MS / 2 + 3 * DAY_MS;
	const period = { from, until: from + DAY_MS };
	const ids = Array.from({ length: 120 }, (_, i) => `pt_${i}`);
	const { result: digests, rows: read } = await rowsReadDuring(() => digestRows(openRegister(), ids, period));
	const rows = digests.reduce((sum, one) => sum + one.rows, 0);
	expect(rows).toBe(2000);
	expect(read).toBeLessThan(2 * rows + 10 * 121);
	expect(await digestRows(openRegister(), ids, period)).toEqual(digests);
});
