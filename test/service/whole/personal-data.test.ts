import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { openHolder } from "../../../src/db/holders.ts";
import { batch } from "../../../src/db/query.ts";
import { holders } from "../../../src/db/schema-holder.ts";
import { resealPage, SEALED_TABLES } from "../../../src/db/sealed-columns.ts";
import { DAY_MS, HOUR_MS } from "../../../src/domain/durations.ts";
import { cronCaller, type Job, type JobAsker } from "../../../src/jobs/job.ts";
import { resealRows } from "../../../src/jobs/reseal.ts";
import { JOBS, runJob, runJobs } from "../../../src/jobs/run.ts";
import { platformOf } from "../../../src/platform.ts";
import { openEvidence } from "../../../src/secrets/evidence.ts";
import { createSealer } from "../../../src/secrets/sealing.ts";
import { alone } from "../../support/alone.ts";
import { passTime, setTime } from "../../support/clock.ts";
import { BOUND, execute, openDatabases, openRegister } from "../../support/db.ts";
import { codeRow, dumpRegister, select } from "../../support/look-inside.ts";
import { openPlaces } from "../../support/places.ts";
import { runCron } from "../../support/receiver.ts";
import { refusal, rejection } from "../../support/refusal.ts";
import { freshService, JUANA, JUANA_FULL, loadHolder, ops, Partner, PEDRO } from "../../support/service.ts";

beforeEach(freshService);

const OLD_KEY = crypto.getRandomValues(new Uint8Array(32));
const NEW_KEY = crypto.getRandomValues(new Uint8Array(32));
const KEYED = { "Idempotency-Key": "clear-key-5f2b8a52" };
const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const YEAR = 366 * DAY_MS;

/** Codes in every state that holds personal data: validated, emitted in B2C and B2B, with pictures and copies. */
async function populate() {
	const [b2c, full, b2b] = [
		await Partner.create(),
		await Partner.create({ require_cedula_serie: 0 }),
		await Partner.create({ mode: "B2B", delivery_email: "delivery@partner.example" }),
	];
	const [validated, claimed] = [await b2c.code(), await b2c.code()];
	const pictures = { dniFront: PICTURE.toString("base64"), dniBack: PICTURE.toString("base64") };
	expect((await b2c.request({ pCode: validated, ...JUANA, ...pictures }, KEYED)).status).toBe(200);
	expect((await b2c.request({ pCode: claimed, ...PEDRO, partnerCopy: "copia@example.cl" })).status).toBe(200);
	expect((await b2c.claim(claimed, { dni: PEDRO.dni, pin: PEDRO.pin })).status).toBe(200);
	expect((await full.request({ pCode: await full.code(), ...JUANA_FULL })).status).toBe(200);
	const emitted = await b2b.code();
	expect((await b2b.request({ pCode: emitted, ...PEDRO, ...pictures }, KEYED)).status).toBe(200);
	return { b2c, b2b, validated, claimed, emitted };
}

async function callerWith(overrides: Partial<JobAsker["platform"]> = {}): Promise<JobAsker> {
	return cronCaller({ ...(await platformOf(env)), ...overrides }, { name: "test" }, Date.now());
}

/** Runs a job until it has come to its end. @returns the last report. */
async function runToEnd(name: string, platform: Partial<JobAsker["platform"]> = {}) {
	const job = JOBS.find((candidate) => candidate.name === name)!;
	for (let run = 0; run < 100; run++) {
		const { report, done } = await runJob(await callerWith(platform), job);
		if (done) return report;
	}
	throw new Error(`${name} does not end`);
}

test("every sealed column of D1 is known to the rotation", async () => {
	const tables = await select("SELECT name, sql FROM sqlite_master WHERE type = 'table'");
	const columns = tables.flatMap(({ name, sql }) =>
		[...sql.matchAll(/\b((?:\w+_)?sealed)\W/g)].map(([, column]) => `${name}.${column}`),
	);
	const known = SEALED_TABLES.flatMap(({ name, columns }) =>
		Object.values(columns).map((column) => `${name}.${column.name}`),
	);
	expect(known.sort()).toEqual(columns.sort());
});

test("invariant 5: a dump of D1 shows no RUT, name, e-mail, phone, card serial, PIN, credential or key", {
	tags: ["db-no-secrets"],
}, async () => {
	const { b2c, b2b } = await populate();
	const failed = { pCode: await b2c.code(), ...JUANA, serialNumber: "999999999" };
	expect((await b2c.request(failed)).status).toBe(406);
	const dump = await dumpRegister();
	const keys = [b2c.key, b2b.key, KEYED["Idempotency-Key"]];
	const holders = [JUANA, JUANA_FULL, PEDRO];
	const names = ["JUANA", "Juana", "PÉREZ", "Pérez", "SOTO", "PEDRO", "MUÑOZ", "ÑANCUPIL", "CUPIL"];
	const ruts = holders.flatMap(({ dni }) => [dni, dni.replace("-", ""), dni.slice(0, -2)]);
	const rest = ["juana@", "pedro@", "copia@", JUANA_FULL.phone, JUANA_FULL.phone.slice(1), "912345678"];
	for (const value of [...names, ...ruts, ...rest, failed.serialNumber, ...keys])
		for (const form of [
			value,
			value.toLowerCase(),
			JSON.stringify(value).slice(1, -1),
			btoa(unescape(encodeURIComponent(value))).replace(/=+$/, ""),
		])
			expect(form.length < 5 ? alone(form).test(dump) : dump.includes(form), `${value} as ${form}`).toBe(
				false,
			);
	for (const { pin } of holders) expect(dump).not.toMatch(alone(pin));
});

test("keys rotate without downtime: both open, then only the new one occurs, then the old one is removed", async () => {
	const { b2c, validated } = await populate();
	const { sealingKeys } = (await platformOf(env)).settings;
	const [firstId] = sealingKeys.keys();
	const rotating = await createSealer(new Map([["new1", NEW_KEY], ...sealingKeys]));

	const keyIds = async () => {
		const ids = new Set<string>();
		for (const { name, columns } of SEALED_TABLES)
			for (const column of Object.values(columns))
				for (const row of await select(
					`SELECT CAST(${column.name} AS TEXT) AS record FROM ${name} WHERE ${column.name} IS NOT NULL`,
				))
					ids.add(`${row.record.split(".")[0]} ${name}`);
		for (const { key } of (await env.EVIDENCE.list()).objects)
			ids.add(`${(await (await env.EVIDENCE.get(key))!.text()).split(".")[0]} evidence`);
		return [...ids].sort();
	};
	expect(await keyIds()).toEqual(
		expect.arrayContaining([`${firstId} leaves`, `${firstId} evidence`, `${firstId} holders`]),
	);

	expect(await runToEnd("reseal-rows", { sealer: rotating })).toMatchObject({
		clean: false,
		sealing_key: "new1",
	});
	expect(await runToEnd("reseal-evidence", { sealer: rotating })).toMatchObject({ clean: false });
	expect((await keyIds()).every((id) => id.startsWith("new1 "))).toBe(true);
	expect(await runToEnd("reseal-rows", { sealer: rotating })).toMatchObject({ clean: true, resealed: 0 });
	expect(await runToEnd("reseal-evidence", { sealer: rotating })).toMatchObject({ clean: true });

	const newOnly = await createSealer(new Map([["new1", NEW_KEY]]));
	const [row] = await openRegister().select().from(holders).where(eq(holders.code, validated));
	expect(await openHolder(newOnly, validated, row!)).toMatchObject({
		rut: JUANA.dni,
		fullName: "JUANA ANDREA PÉREZ SOTO",
	});
	const [picture] = await select("SELECT object_key FROM evidence WHERE code = ?", validated);
	expect(await openEvidence(env.EVIDENCE, newOnly, picture!.object_key)).toEqual(new Uint8Array(PICTURE));
	expect(await runToEnd("reseal-rows", { sealer: newOnly })).toEqual({ keys: 1 });

	// Back to the key the Worker under test runs with, and the code can be claimed: nothing was lost on either way.
	const back = await createSealer(new Map([...sealingKeys, ["new1", NEW_KEY]]));
	await runToEnd("reseal-rows", { sealer: back });
	expect((await b2c.claim(validated)).status).toBe(200);
	expect((await ops("POST", "/audit/verify", {})).body.data.faults).toEqual([]);
});

test("a value that no key opens is left as it is and logged, and does not stop the others", async () => {
	const { validated } = await populate();
	const [before] = await select("SELECT rut_sealed FROM holders WHERE code = ?", validated);
	const altered = `${before!.rut_sealed.slice(0, -4)}AAAA`;
	await execute("UPDATE holders SET rut_sealed = ? WHERE code = ?", altered, validated);
	const running = await platformOf(env);
	const sealer = await createSealer(new Map([["new2", NEW_KEY], ...running.settings.sealingKeys]));
	const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
	await runToEnd("reseal-rows", { sealer });
	expect(errors.mock.calls.join()).toContain(`"event":"unopenable","table":"holders","row":"${validated}"`);
	const left = await select("SELECT rut_sealed FROM holders WHERE rut_sealed NOT LIKE 'new2.%'");
	expect(left).toEqual([{ rut_sealed: altered }]);
});

test("a rotation continues in bounded runs, and does not overwrite a holder validated meanwhile", async () => {
	const partner = await Partner.create();
	const codes: string[] = (await partner.bulk(9)).body.data.pcodes;
	for (const [n, pCode] of codes.entries()) await partner.request({ pCode, ...loadHolder(n) });
	const running = await platformOf(env);
	const sealer = await createSealer(new Map([["new3", OLD_KEY], ...running.settings.sealingKeys]));
	const db = openRegister();
	const page = await resealPage(db, sealer, SEALED_TABLES[0]!, { after: "", limit: 4 });
	expect(page).toMatchObject({ looked: 4, stale: 4, unopenable: [], last: expect.any(String) });
	const pCode = codes.toSorted()[0]!;
	const n = codes.indexOf(pCode);
	expect((await partner.request({ pCode, ...loadHolder(n), email: "new@example.cl" })).status).toBe(200);
	await batch(db, { page: page.statements });
	const rows = await select("SELECT code FROM holders WHERE email_sealed LIKE 'new3.%' ORDER BY code");
	expect(rows.map(({ code }) => code)).toEqual(codes.toSorted().slice(1, 4));
	expect((await partner.claim(pCode, { dni: loadHolder(n).dni, pin: "1357" })).status).toBe(200);
});

test("retention: a delivery that is still tried keeps its recipient and payload, whatever its age", async () => {
	const { emitted } = await populate();
	const details = async () =>
		(await select("SELECT recipient_sealed, payload_sealed FROM outbox WHERE code = ?", emitted))[0]!;
	const tried = (nextAttemptAt: number | null) =>
		execute(
			"UPDATE outbox SET next_attempt_at = ?, payload_sealed = 'k1.x', recipient_sealed = 'k1.x'",
			nextAttemptAt,
		);
	passTime(91 * DAY_MS);
	await tried(Date.now() + HOUR_MS);
	await runToEnd("erase-delivery-details");
	expect(await details()).toEqual({ recipient_sealed: "k1.x", payload_sealed: "k1.x" });
	await tried(null);
	await runToEnd("erase-delivery-details");
	expect(await details()).toEqual({ recipient_sealed: null, payload_sealed: null });
});

test("a rotation seals every row of a table that is longer than a page", async () => {
	await openPlaces("pt");
	const running = await platformOf(env);
	const secrets = await Promise.all(
		Array.from({ length: 250 }, async (_, n) => {
			const place = { table: "webhook_secrets", row: `ws_${n}`, column: "secret_sealed" };
			return env.DB_2.prepare(
				"INSERT INTO webhook_secrets (id, partner_id, secret_sealed, created_at) VALUES (?, 'pt', ?, 1)",
			).bind(place.row, await running.sealer.seal("whsec", place));
		}),
	);
	await env.DB_2.batch(secrets);
	const sealer = await createSealer(new Map([["new4", NEW_KEY], ...running.settings.sealingKeys]));
	await runToEnd("reseal-rows", { sealer });
	expect(await select("SELECT id FROM webhook_secrets WHERE secret_sealed NOT LIKE 'new4.%'")).toEqual([]);
	expect(await runToEnd("reseal-rows", { sealer })).toMatchObject({ clean: true });

	// A key that comes while a pass is at its end begins another pass: that one found nothing under the key before.
	const keys = new Map([["new5", OLD_KEY], ["new4", NEW_KEY], ...running.settings.sealingKeys]);
	const caller = await callerWith({ sealer: await createSealer(keys) });
	const database = openDatabases().databases[1]!;
	const atEnd = { keyId: "new4", startedAt: 0, table: SEALED_TABLES.length, after: "", looked: 0, stale: 0 };
	const { report } = await resealRows.run({ ...caller, database, db: database.db }, atEnd);
	expect(report).toMatchObject({ clean: false });
});

test("retention: a certificate's holder, its leaf and pictures are erased after six years; the code stays used", async () => {
	const { b2b, emitted } = await populate();
	const { certificate_not_after: notAfter } = await codeRow(emitted);
	setTime(notAfter + 6 * 365 * DAY_MS);
	await runJobs(await platformOf(env));
	expect(await select("SELECT code FROM holders WHERE code = ?", emitted)).toHaveLength(1);
	expect(await select("SELECT 1 FROM certificates WHERE leaf_id IS NULL")).toEqual([]);
	setTime(notAfter + 6 * YEAR);
	await runJobs(await platformOf(env));
	await runJobs(await platformOf(env));
	expect(await select("SELECT 1 FROM holders")).toEqual([]);
	expect(await select("SELECT 1 FROM holder_emails")).toEqual([]);
	expect(await select("SELECT 1 FROM evidence")).toEqual([]);
	expect((await env.EVIDENCE.list()).objects).toEqual([]);
	const certificates = await select("SELECT leaf_id, issued_at FROM certificates WHERE code = ?", emitted);
	expect(certificates).toEqual([{ leaf_id: null, issued_at: expect.any(Number) }]);
	expect(await select("SELECT 1 FROM leaves")).toEqual([]);
	expect(await b2b.status(emitted)).toBe("EXPIRED");
	const again = await b2b.request({ pCode: emitted, ...JUANA });
	expect(refusal(again)).toEqual(rejection("CODE_ALREADY_USED", "pCode"));
	expect(
		await select("SELECT 1 FROM outbox WHERE next_attempt_at IS NULL AND recipient_sealed IS NOT NULL"),
	).toEqual([]);
});

test("a picture whose validation never committed is swept after the 31 days that D1 can be restored for", async () => {
	await populate();
	await env.EVIDENCE.put("pt_none/run/front", "k1.AAAA");
	await runToEnd("sweep-stray-pictures");
	expect((await env.EVIDENCE.list()).objects).toHaveLength(5);
	passTime(31 * DAY_MS - HOUR_MS);
	expect(await runToEnd("sweep-stray-pictures")).toMatchObject({ stray: 0 });
	passTime(2 * HOUR_MS);
	expect(await runToEnd("sweep-stray-pictures")).toMatchObject({ stray: 1 });
	expect((await env.EVIDENCE.list()).objects).toHaveLength(4);
});

test("ops list the jobs, and run one without waiting for the cron", async () => {
	const { body, status } = await ops("POST", "/upkeep/erase-holders", {});
	expect([status, body.data]).toMatchObject([
		200,
		{ job: "erase-holders", done: true, report: { holders: 0 } },
	]);
	const { body: listed } = await ops("GET", "/upkeep");
	expect(listed.data.jobs.map(({ job }: { job: string }) => job)).toEqual(JOBS.map(({ name }) => name));
	expect((await ops("POST", "/upkeep/none", {})).status).toBe(404);
});

test("holders beyond what one run erases are looked at again by the next", async () => {
	vi.spyOn(console, "error").mockImplementation(() => undefined);
	vi.spyOn(Object.getPrototypeOf(env.PURCHASE_CODES), "getByName").mockImplementation(() => {
		throw new Error("away");
	});
	await (await Partner.create()).bulk(401);
	const columns =
		"partner_id, rut_sealed, rut_index, full_name_sealed, email_sealed, email_index, validated_at";
	await execute("UPDATE purchase_codes SET cancelled_at = 1");
	await execute(
		`INSERT INTO holders (code, ${columns}) SELECT code, partner_id, '', '', '', '', '', 1 FROM purchase_codes`,
	);
	const look = async () => (await ops("POST", "/upkeep/erase-holders", {})).body.data.report.looked_at;
	expect([await look(), await look()]).toEqual([401, 1]);
});

test("the cron runs the jobs of each database in a minute of its own", async () => {
	const ran = async () => {
		const counts = BOUND.map((database) =>
			database.prepare("SELECT count(*) AS n FROM upkeep_jobs").first("n"),
		);
		return Promise.all(counts);
	};
	const onEach = JOBS.filter(({ once }) => !once).length;
	for (const [minute, expected] of [
		[16, [0, 0]],
		[17, [JOBS.length, 0]],
		[19, [JOBS.length, 0]],
		[18, [JOBS.length, onEach]],
	] as const) {
		await runCron(minute);
		expect(await ran()).toEqual(expected);
	}
});

test("a job that fails is logged and does not stop the others", async () => {
	const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
	await execute("ALTER TABLE holders RENAME TO holders_away");
	const writeDataPoint = vi.fn();
	const [first] = JOBS as [Job];
	vi.spyOn(first, "run").mockRejectedValue(new TypeError("a bug"));
	await runJobs({ ...(await platformOf(env)), metrics: { writeDataPoint } });
	const failed = errors.mock.calls
		.map(([line]) => JSON.parse(line))
		.filter(({ event }) => event === "job_failed");
	expect(failed.map(({ job }) => job)).toEqual([
		first.name,
		"erase-holders",
		"remind-of-certificates",
		"forget-emails",
		"reconcile",
	]);
	expect(await select("SELECT job FROM upkeep_jobs")).toHaveLength(
		JOBS.filter(({ once }) => !once).length - 5,
	);
	const counted = writeDataPoint.mock.calls.filter(([{ blobs }]) => blobs[1] === "failed");
	expect(counted).toHaveLength(5);
});
