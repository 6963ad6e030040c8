import { env } from "cloudflare:workers";
import { eq, getTableColumns, sql } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { chainHash, lostAuditRace } from "../../../src/db/audit-events.ts";
import { selectPartner } from "../../../src/db/partners.ts";
import { batch, ConstraintViolated, query } from "../../../src/db/query.ts";
import { auditEvents } from "../../../src/db/schema-operations.ts";
import { type AuditCursor, verifyAuditPage } from "../../../src/jobs/audit/verify.ts";
import { entryOf, findFaults as faults, insertEvent, showFault } from "../../support/audit-faults.ts";
import { execute, openDatabases, openRegister } from "../../support/db.ts";
import { everyPage } from "../../support/every-page.ts";
import { type Row, select } from "../../support/look-inside.ts";
import { byTurns } from "../../support/run-size.ts";
import { freshService, JUANA, loadHolder, ops, Partner, PEDRO } from "../../support/service.ts";

let partner: Partner;
/** A code with three changes: a wrong claim between its validation and its emission. */
let pCode: string;
let untouched: string;

beforeAll(async () => {
	await freshService();
	expect((await ops("POST", "/upkeep/digest-audit", {})).status).toBe(200);
	partner = await Partner.create();
	await partner.change({ name: "Renamed" });
	const { body } = await partner.bulk(3);
	[pCode, untouched] = body.data.pcodes;
	await partner.request({ pCode: body.data.pcodes[2], ...PEDRO });
	await partner.request({ pCode, ...JUANA });
	await partner.claim(pCode, { pin: "0000" });
	await partner.claim(pCode);
});

/** Runs a statement. @returns how D1 refused it. */
const refusalOf = (sql: string) => execute(sql).then(() => "done", String);

test("D1 itself refuses to change or delete an audit row", async () => {
	expect(await refusalOf("UPDATE audit_events SET outcome = 'ok'")).toContain("append-only");
	expect(await refusalOf("DELETE FROM audit_events")).toContain("append-only");
});

const ROW = `(entity, version, partner_id, at, actor, action, outcome, request_id, previous_hash, hash)
	SELECT entity, version, partner_id, at, actor, action, 'replaced', request_id, previous_hash, hash
	FROM audit_events WHERE version = 1`;

test.each([
	["INSERT OR REPLACE", `INSERT OR REPLACE INTO audit_events ${ROW}`],
	["an upsert", `INSERT INTO audit_events ${ROW} ON CONFLICT DO UPDATE SET outcome = 'replaced'`],
	["UPDATE OR REPLACE", "UPDATE OR REPLACE audit_events SET version = version + 1"],
	["UPDATE OR REPLACE of a partner", "UPDATE OR REPLACE audit_events SET entity = 'partner:x', version = 1"],
])("D1 itself refuses to replace an audit row by %s", async (_, sql) => {
	const before = await select("SELECT * FROM audit_events ORDER BY entity, version");
	expect(await refusalOf(sql)).toMatch(/append-only|UNIQUE constraint failed: audit_events.entity/);
	expect(await select("SELECT * FROM audit_events ORDER BY entity, version")).toEqual(before);
});

describe("a version that is taken is a lost race", () => {
	const db = openRegister();
	let taken: typeof auditEvents.$inferInsert;
	beforeAll(async () => {
		const rows = db.select().from(auditEvents);
		[taken] = (await query(rows.where(eq(auditEvents.entity, `code:${pCode}`)))) as [typeof taken];
	});

	const insert = () => db.insert(auditEvents).values(taken);
	test.each<[string, () => Promise<unknown>]>([
		["one statement", () => query(insert())],
		["a batch", () => batch(db, { partner: selectPartner(db, partner.id), audit: insert() })],
		["a batch of hand-written SQL", () => batch(db, { audit: sql.raw(`INSERT INTO audit_events ${ROW}`) })],
	])("in %s", async (_, write) => {
		const refused = await write().then(
			() => null,
			(error: unknown) => error,
		);
		expect([refused, lostAuditRace(refused)]).toEqual([expect.any(ConstraintViolated), true]);
	});
});

/** Drops the triggers, as an intruder with the database's own rights would. */
async function unlockAudit(): Promise<void> {
	await env.DB_2.batch(
		["never_change", "never_go", "insert_in_place", "update_in_place", "delete_in_place"].map((name) =>
			env.DB_2.prepare(`DROP TRIGGER IF EXISTS audit_events_${name}`),
		),
	);
}

const undo: (() => Promise<unknown>)[] = [];

afterEach(async () => {
	for (const act of undo.splice(0)) await act();
	expect(await faults()).toEqual([]);
});

async function tamper(sql: string, ...values: unknown[]): Promise<void> {
	await unlockAudit();
	const kept = await select("SELECT * FROM audit_events");
	const codes = await select("SELECT code, version FROM purchase_codes");
	undo.push(async () => {
		const back = (sql: string, ...values: unknown[]) => env.DB_2.prepare(sql).bind(...values);
		await env.DB_2.batch([
			back("DELETE FROM audit_events"),
			...kept.map((row) => {
				const columns = Object.keys(row);
				const places = columns.map(() => "?");
				return back(`INSERT INTO audit_events (${columns}) VALUES (${places})`, ...Object.values(row));
			}),
			...codes.map(({ code, version }) =>
				back("UPDATE purchase_codes SET version = ? WHERE code = ?", version, code),
			),
		]);
	});
	await execute(sql, ...values);
}

test("ops are shown a chain as it grew", async () => {
	const { body } = await ops("GET", `/audit/code:${pCode}`);
	expect(body.data.faults).toEqual([]);
	expect(body.data.events.map(({ version, action, outcome }: Row) => [version, action, outcome])).toEqual([
		[1, "validated", "ok"],
		[2, "claim_failed", "credentials_mismatch"],
		[3, "emitted", "ok"],
	]);
	const later = await ops("GET", `/audit/code:${pCode}?from_version=3`);
	expect(later.body.data).toMatchObject({ events: [{ version: 3 }], faults: [], next_version: null });
	expect((await ops("GET", "/audit/code:0000-0000-0000-0000")).status).toBe(404);
	expect((await ops("POST", "/audit/verify", { cursor: "bm9uZQ" })).status).toBe(400);
	expect((await ops("POST", "/audit/verify", {}, "x".repeat(40))).status).toBe(401);
});

test("a chain of more rows than an answer holds is shown page by page", async () => {
	await tamper(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 201)
		INSERT INTO audit_events (entity, version, partner_id, at, actor, action, outcome, request_id, previous_hash, hash)
		SELECT 'delivery:long', i, '', 1, 'a', 'b', 'c', 'd', '', '' FROM n`);
	const first = (await ops("GET", "/audit/delivery:long")).body.data;
	expect([first.events.length, first.next_version]).toEqual([200, 201]);
	const rest = (await ops("GET", "/audit/delivery:long?from_version=201")).body.data;
	expect(rest).toMatchObject({ events: [{ version: 201 }], next_version: null });
});

const COLUMNS = Object.values(getTableColumns(auditEvents)).map(({ name }, i) => [name, i] as const);

test.each(COLUMNS)("an altered %s is found, whichever row it is in", async (column, i) => {
	const numeric = ["version", "at"].includes(column);
	for (const version of byTurns([1, 2, 3], 3, i)) {
		await tamper(
			`UPDATE audit_events SET ${column} = ${numeric ? `${column} + 1000` : "'tampered:with'"} WHERE entity = ? AND version = ?`,
			`code:${pCode}`,
			version,
		);
		expect(await faults()).not.toEqual([]);
		for (const act of undo.splice(0)) await act();
	}
});

test.each([
	[1, ["code@2 missing"]],
	[2, ["code@3 missing"]],
	[3, ["code@2 truncated"]],
] as const)("a removed row %i is found", async (version, expected) => {
	await tamper("DELETE FROM audit_events WHERE entity = ? AND version = ?", `code:${pCode}`, version);
	expect(await faults()).toEqual(expected);
	const { body } = await ops("GET", `/audit/code:${pCode}`);
	expect(body.data.faults.map(showFault)).toEqual(expected);
});

test("the lost end of a job's chain is found", async () => {
	await execute("UPDATE batches SET created_at = created_at - 1080000000");
	expect((await ops("POST", "/upkeep/remind-of-codes", {})).body.data.report.looked_at).toBe(1);
	const setVersion = (n: number) => execute("UPDATE upkeep_jobs SET version = ? WHERE version > 0", n);
	await setVersion(2);
	undo.push(() => setVersion(1));
	expect(await faults()).toEqual(["upkeep@1 truncated"]);
});

test("the removal of all rows is found, of a code with one change or more, a batch and a partner", async () => {
	await tamper("DELETE FROM audit_events");
	expect(await faults()).toEqual([
		"batch@null unrecorded",
		"code@null unrecorded",
		"code@null unrecorded",
		"partner@null unrecorded",
	]);
});

test("two rows that changed places are found", async () => {
	await tamper(
		"UPDATE audit_events SET version = CASE version WHEN 1 THEN -2 ELSE -1 END WHERE entity = ? AND version < 3",
		`code:${pCode}`,
	);
	await execute("UPDATE audit_events SET version = -version WHERE version < 0");
	expect(await faults()).toEqual([
		"code@1 altered",
		"code@1 unlinked",
		"code@2 altered",
		"code@2 unlinked",
		"code@3 unlinked",
	]);
});

test("a row forged with its own right hash is found by the row after it, or by the entity's version", async () => {
	const [row] = await select("SELECT * FROM audit_events WHERE entity = ? AND version = 2", `code:${pCode}`);
	const forged = entryOf(row!, { action: "emitted", outcome: "ok" });
	await tamper(
		"UPDATE audit_events SET action = 'emitted', outcome = 'ok', hash = ? WHERE entity = ? AND version = 2",
		await chainHash(forged, row!.previous_hash),
		forged.entity,
	);
	expect(await faults()).toEqual(["code@2 forged", "code@3 unlinked"]);
	for (const act of undo.splice(0)) await act();

	const another = { ...forged, entity: `code:${untouched}`, version: 1, step: null };
	await tamper("SELECT 1");
	await insertEvent(another, "", await chainHash(another, ""), null);
	expect(await faults()).toEqual(["code@1 beyond", "code@1 unkeyed"]);
});

test("a code put back to an earlier version, or gone, or another partner's, is found", async () => {
	await tamper("UPDATE purchase_codes SET version = 2 WHERE code = ?", pCode);
	expect(await faults()).toEqual(["code@3 beyond"]);
	await execute("UPDATE purchase_codes SET version = 4 WHERE code = ?", pCode);
	expect(await faults()).toEqual(["code@3 truncated"]);
	const [{ code }] = (await select("SELECT 'NONE-0000-0000-0000' AS code")) as [{ code: string }];
	await execute("UPDATE audit_events SET entity = ? WHERE entity = ?", `code:${code}`, `code:${pCode}`);
	expect(await faults()).toContain("code@3 orphaned");
	expect(await faults()).toContain("code@null unrecorded");
});

test("a register of any size: small pages find what one page finds, and chains go on across them", async () => {
	const codes: string[] = (await partner.bulk(5)).body.data.pcodes;
	for (const [n, code] of codes.entries()) await partner.request({ pCode: code, ...loadHolder(n) });
	await tamper(
		"UPDATE audit_events SET outcome = 'tampered' WHERE entity = ? AND version = 2",
		`code:${pCode}`,
	);
	const register = { ...openDatabases(), auditLog: env.AUDIT };
	const read = ({ cursor }: { cursor?: AuditCursor }) => verifyAuditPage(register, cursor ?? null, 1);
	const pages = await everyPage(read);
	for (const { checked } of pages) expect(checked).toBeLessThanOrEqual(1);
	const found = pages.flatMap((page) => page.faults);
	expect(found).toEqual([{ entity: `code:${pCode}`, version: 2, kind: "altered" }]);
	expect(pages.length).toBeGreaterThan(20);
});
