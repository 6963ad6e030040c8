import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { findBlocks, recountBlock } from "../../../src/db/code-counts.ts";
import { findBatchDefects, findCodeDefects, findSerialDefects } from "../../../src/db/inconsistencies.ts";
import { HOUR_MS } from "../../../src/domain/durations.ts";
import { runJobs } from "../../../src/jobs/run.ts";
import { platformOf } from "../../../src/platform.ts";
import { passTime } from "../../support/clock.ts";
import { execute, openRegister } from "../../support/db.ts";
import { everyPage } from "../../support/every-page.ts";
import { dieWhen } from "../../support/failing-db.ts";
import {
	auditOf,
	certificatesOf,
	codeRow,
	holdRegistry,
	type Row,
	select,
} from "../../support/look-inside.ts";
import { freshService, JUANA, loadHolder, ops, Partner, PEDRO } from "../../support/service.ts";
import { keepDatabase, setDatabaseBack } from "../../support/set-back.ts";

let b2c: Partner;
let b2b: Partner;
/** Claimed in B2C, emitted in B2B, and not used. */
let claimed: string;
let emitted: string;
let unused: string;

beforeAll(async () => {
	await freshService();
	[b2c, b2b] = [await Partner.create(), await Partner.create({ mode: "B2B" })];
	[claimed, unused] = (await b2c.bulk(2)).body.data.pcodes;
	emitted = await b2b.code();
	await b2c.request({ pCode: claimed, ...JUANA });
	expect((await b2c.claim(claimed)).status).toBe(200);
	expect((await b2b.request({ pCode: emitted, ...PEDRO })).status).toBe(200);
	expect(await found()).toEqual([]);
	await keepDatabase();
});
beforeEach(() => setDatabaseBack());

/** Everything that ops find, as `kind subject repaired`. */
async function found(repair = false): Promise<string[]> {
	const pages = await everyPage(async (from) => {
		const { status, body, text } = await ops("POST", "/reconcile", { repair, ...from });
		if (status !== 200) throw new Error(text);
		expect(Object.values(body.data.counts as Record<string, number>).reduce((sum, n) => sum + n, 0)).toBe(
			body.data.findings.length,
		);
		return body.data;
	});
	const findings: Row[] = pages.flatMap((page) => page.findings);
	return findings.map(({ kind, subject, repaired }) => `${kind} ${subject} ${repaired}`);
}

/** Found by looking, which changes nothing; mended by repairing, which leaves nothing; and the audit still holds. */
async function expectMended(...defects: string[]): Promise<void> {
	expect(await found()).toEqual(defects.map((defect) => `${defect} null`));
	expect(await found()).toEqual(defects.map((defect) => `${defect} null`));
	expect(await found(true)).toEqual(defects.map((defect) => `${defect} true`));
	expect(await found()).toEqual([]);
	expect((await ops("POST", "/audit/verify", {})).body.data.faults).toEqual([]);
}

/** Found and reported, but not changed. */
async function expectTold(...defects: string[]): Promise<void> {
	expect(await found(true)).toEqual(defects.map((defect) => `${defect} null`));
	expect(await found()).toEqual(defects.map((defect) => `${defect} null`));
}

test("a lease past its end whose alarm never fired: the step is recovered and the code is free", async () => {
	const registry = holdRegistry();
	await dieWhen(registry.isAsked, () => b2c.request({ pCode: unused, ...loadHolder(1) }));
	registry.release();
	expect(await codeRow(unused)).toMatchObject({ processing_until: expect.any(Number) });
	passTime(HOUR_MS);
	await expectMended(`stale_step ${unused}`);
	expect(await codeRow(unused)).toMatchObject({ processing_until: null, processing_rut_index: null });
	expect(await auditOf(unused)).toEqual(["step_abandoned attempt_spent"]);
});

test("a mark without a lease is removed; the mark of a running step stays", async () => {
	await execute(
		"UPDATE purchase_codes SET processing_until = ? WHERE code = ?",
		Date.now() - HOUR_MS,
		unused,
	);
	await expectMended(`stale_step ${unused}`);
	await execute("UPDATE purchase_codes SET processing_until = ? WHERE code = ?", Date.now() + 30_000, unused);
	expect(await found(true)).toEqual([]);
});

test("a serial that was reserved, or signed but not emitted, a second certificate of an emitted code, and that of a cancelled one are revoked", async () => {
	const [reserved, signed, second] = ["EF", "AB", "CD"].map((byte) => byte.repeat(16));
	const entry = "INSERT INTO certificates (serial, issuer_key_id, partner_id, code";
	await execute(`${entry}) VALUES (?, 'c0ffee', ?, ?)`, reserved, b2c.id, unused);
	await expectMended(`serial_not_revoked ${unused}`);
	const dated = `${entry}, issued_at, not_before, not_after) VALUES (?, 'c0ffee', ?, ?, 1, 1, 2)`;
	await execute(dated, signed, b2c.id, unused);
	await expectMended(`serial_not_emitted ${unused}`);
	const revoked = { revoked_at: expect.any(Number) };
	expect(await certificatesOf(unused)).toMatchObject([revoked, revoked]);
	await execute(dated, second, b2c.id, claimed);
	await expectMended(`serial_not_emitted ${claimed}`);
	const { certificate_serial } = await codeRow(claimed);
	const good = (await certificatesOf(claimed)).filter(({ revoked_at }) => revoked_at === null);
	expect(good.map((row) => row.serial)).toEqual([certificate_serial]);
	await execute("UPDATE purchase_codes SET cancelled_at = 1 WHERE code = ?", claimed);
	await expectMended(`cancelled_not_revoked ${claimed}`);
});

test("emitted without a row in certificates: it is entered, so that it can be revoked", async () => {
	const { certificate_serial, certificate_not_after } = await codeRow(claimed);
	await execute("DELETE FROM certificates WHERE serial = ?", certificate_serial);
	await expectMended(`certificate_missing ${claimed}`);
	expect(await certificatesOf(claimed)).toMatchObject([
		{ serial: certificate_serial, not_after: certificate_not_after, revoked_at: null, leaf_id: null },
	]);
	expect(await b2c.status(claimed)).toBe("EMITTED");
	// A cancelled code's certificate is entered as revoked.
	await execute("UPDATE purchase_codes SET cancelled_at = 5 WHERE code = ?", claimed);
	await execute("DELETE FROM certificates WHERE serial = ?", certificate_serial);
	await expectMended(`certificate_missing ${claimed}`);
	expect(await certificatesOf(claimed)).toMatchObject([{ revoked_at: 5 }]);
});

test("emitted in B2B without a delivery is reported: the PFX is lost, and ops must decide", async () => {
	await execute("DELETE FROM outbox WHERE code = ?", emitted);
	await expectTold(`delivery_missing ${emitted}`);
});

test("counters that differ from the codes are recounted, with and without a reference", async () => {
	await execute(
		"UPDATE code_counts SET n = n + 3 WHERE partner_id = ? AND reference = '' AND level = 7",
		b2c.id,
	);
	await execute("DELETE FROM code_counts WHERE partner_id = ? AND reference <> ''", b2b.id);
	const before = await found();
	expect(before.sort()).toEqual(["wrong_counters 0 null", "wrong_counters 0 null"]);
	expect((await found(true)).sort()).toEqual(["wrong_counters 0 true", "wrong_counters 0 true"]);
	expect(await found()).toEqual([]);
	expect((await b2c.list("?status=sin_utilizar")).body.data.pagination.total).toBe(1);
	expect((await b2c.list("?status=emitido")).body.data.pagination.total).toBe(1);
	expect((await b2b.list(`?external_reference_id=${PEDRO.referenceId}`)).body.data.pagination.total).toBe(1);
});

test("a recount leaves right counters as they are, block by block", async () => {
	const db = openRegister();
	for (let n = 0; n < 3; n++) await b2c.bulk(500);
	const counts = () =>
		select("SELECT * FROM code_counts WHERE n <> 0 ORDER BY partner_id, reference, facet, level, block");
	const before = await counts();
	const blocks = await findBlocks(db, null, 10);
	expect(blocks.map(({ block }) => block)).toEqual([0, 0]);
	for (const block of blocks) await recountBlock(db, block);
	expect(await counts()).toEqual(before);
});

test("a batch with missing codes, a gap between batches, a code in no batch: reported", async () => {
	const { body } = await b2c.bulk(2);
	await execute("DELETE FROM purchase_codes WHERE code = ?", body.data.pcodes[0]);
	expect(await found()).toEqual([`codes_missing ${body.data.batchId} null`, "wrong_counters 0 null"]);
	await found(true);
	await expectTold(`codes_missing ${body.data.batchId}`);
	await b2c.bulk(1);
	await execute("DELETE FROM batches WHERE id = ?", body.data.batchId);
	const kinds = (await found()).map((finding) => finding.split(" ")[0]);
	expect(kinds).toEqual(expect.arrayContaining(["batch_missing", "batch_gap"]));
});

test("the cron repairs and logs each inconsistency, and the next run finds nothing", async () => {
	const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
	await execute(
		"INSERT INTO certificates (serial, issuer_key_id, partner_id, code) VALUES (?, 'c0ffee', ?, ?)",
		"AA".repeat(16),
		b2c.id,
		unused,
	);
	await runJobs(await platformOf(env));
	const answered = errors.mock.calls.map(([line]) => JSON.parse(line));
	expect(answered).toEqual([
		{
			level: "error",
			event: "inconsistency",
			kind: "serial_not_revoked",
			partner_id: b2c.id,
			subject: unused,
			repaired: true,
		},
	]);
	const report = async () =>
		(await select("SELECT report FROM upkeep_jobs WHERE job = 'reconcile'"))[0]!.report;
	expect(JSON.parse(await report())).toMatchObject({ found: 1, repaired: 1 });
	await runJobs(await platformOf(env));
	expect(JSON.parse(await report())).toMatchObject({ found: 0, repaired: 0 });
	// A repair that fails is none.
	await execute("UPDATE purchase_codes SET cancelled_at = 1 WHERE code = ?", claimed);
	vi.spyOn(Object.getPrototypeOf(env.PURCHASE_CODES), "getByName").mockImplementation(() => {
		throw new Error("away");
	});
	await runJobs(await platformOf(env));
	expect(JSON.parse(await report())).toMatchObject({ found: 1, repaired: 0 });
});

test("two partners and many codes: every page continues where the last ended", async () => {
	const db = openRegister();
	await b2b.bulk(3);
	for (const [table, find] of [
		["purchase_codes", findCodeDefects],
		["batches", findBatchDefects],
		["certificates", findSerialDefects],
	] as const) {
		let after: string[] | null = [];
		let looked = 0;
		while (after !== null) {
			const page: Awaited<ReturnType<typeof find>> = await find(db, after, 1, Date.now());
			looked += page.looked;
			after = page.last;
		}
		expect(looked).toBe((await select(`SELECT count(*) AS n FROM ${table}`))[0]!.n);
	}
});
