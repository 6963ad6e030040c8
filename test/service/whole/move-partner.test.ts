import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { eraseOldRows, findLeftPlaces, pageOldKeys } from "../../../src/db/erase-old-rows.ts";
import { closePlace } from "../../../src/db/move-ends.ts";
import { findPlaceIn, type Seen } from "../../../src/db/move-partner.ts";
import { PARTNER_TABLES } from "../../../src/db/partner-tables.ts";
import { giveUp } from "../../../src/deadlines.ts";
import { findInOne } from "../../../src/directory.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/domain/durations.ts";
import { cronCaller } from "../../../src/jobs/job.ts";
import { JOBS, runJob } from "../../../src/jobs/run.ts";
import { findStatuses } from "../../../src/pki/find-statuses.ts";
import { platformOf } from "../../../src/platform.ts";
import { createSealer } from "../../../src/secrets/sealing.ts";
import { listAllDeliveries } from "../../../src/services/all-deliveries.ts";
import { findAny } from "../../../src/services/find-things.ts";
import { passTime, replaceTimers, setTime, stopClock } from "../../support/clock.ts";
import { failingFrom, tripsDuring } from "../../support/failing-db.ts";
import { requestOf } from "../../support/holder-requests.ts";
import { codeRow } from "../../support/look-inside.ts";
import { move, moveToEnd } from "../../support/move.ts";
import { runCron, useReceiver } from "../../support/receiver.ts";
import { byTurns } from "../../support/run-size.ts";
import { freshService, JUANA, ops, Partner, PEDRO, PNG } from "../../support/service.ts";

beforeAll(freshService);
useReceiver();

const DATABASES = [env.DB, env.DB_2];

/** Every row of the partner in a database, without the numbers that a database gives. */
async function rowsIn(database: D1Database, { id }: Partner): Promise<Record<string, unknown[]>> {
	const results = await database.batch<Record<string, unknown>>(
		PARTNER_TABLES.map(({ name, owner, walk }) =>
			database.prepare(`SELECT * FROM "${name}" WHERE ${owner} = ? ORDER BY ${walk.join(", ")}`).bind(id),
		),
	);
	const leaves = await database
		.prepare(
			"SELECT serial, hex(sealed) AS leaf FROM certificates JOIN leaves ON leaves.id = leaf_id WHERE partner_id = ? ORDER BY serial",
		)
		.bind(id)
		.all();
	const rows = PARTNER_TABLES.map(({ name }, i) => [
		name,
		results[i]!.results.map(({ leaf_id, ...row }) =>
			name === "delivery_attempts" ? { ...row, id: 0 } : row,
		),
	]);
	return { ...Object.fromEntries(rows), leaves: leaves.results };
}

/** Reads rows without what the move itself records. */
async function contentsIn(database: D1Database, partner: Partner) {
	const { partners, audit_events, ...rows } = await rowsIn(database, partner);
	const isMoves = (row: unknown) => /^move/.test(String((row as { action: string }).action));
	return { ...rows, audit_events: audit_events!.filter((row) => !isMoves(row)) };
}

function placesOf({ id }: Partner) {
	return Promise.all(
		DATABASES.map(async (database) => {
			const place = database.prepare("SELECT state FROM partner_places WHERE partner_id = ?").bind(id);
			return (await place.first<{ state: string }>())?.state ?? null;
		}),
	);
}

/** A partner with a code in every state, a delivery, a session and an Idempotency-Key. */
async function busyPartner(second: object = PEDRO) {
	const partner = await Partner.create({
		webhook_url: "https://partner.example/hook",
		webhook_events: ["*"],
	});
	const issued = await partner.code();
	await partner.request({ pCode: issued, ...JUANA });
	await partner.claim(issued);
	const validated = await partner.code();
	await partner.request({ pCode: validated, ...second });
	const failed = await partner.code();
	await partner.request({ pCode: failed, ...JUANA, serialNumber: "999999999" });
	await partner.bulk(3, "FV02", { "Idempotency-Key": "order" });
	return { partner, issued, validated, failed };
}

test("a partner moves, works on in between, moves back and forth again, and nothing of it differs", async () => {
	const { partner, issued, validated, failed } = await busyPartner();
	const other = await Partner.create();
	const before = await contentsIn(env.DB_2, partner);
	expect(await moveToEnd(partner, { to: 1 })).toMatchObject({
		move: { database: 1, state: "moved", other: 2 },
	});
	expect(await placesOf(partner)).toEqual(["open", "closed"]);
	expect(await contentsIn(env.DB, partner)).toEqual(before);
	expect(await contentsIn(env.DB_2, partner)).toEqual(before);

	expect(await partner.status(issued)).toBe("EMITTED");
	expect((await partner.claim(validated, { dni: PEDRO.dni, pin: PEDRO.pin })).status).toBe(200);
	expect(
		(await partner.bulk(3, "FV02", { "Idempotency-Key": "order" })).headers.get("idempotency-replayed"),
	).toBe("true");
	expect(await contentsIn(env.DB_2, partner)).toEqual(before);

	const working: string[] = [];
	let refused = 0;
	const traffic = async () => {
		const { status, body } = await partner.bulk();
		if (status === 201) working.push(body.data.pcodes[0]);
		else refused++;
		await partner.request({ pCode: working.at(-1) ?? failed, ...JUANA, serialNumber: "999999999" });
	};
	expect(await moveToEnd(partner, "back", { between: traffic })).toMatchObject({
		move: { database: 2, state: "moved" },
	});
	expect([working.length > 1, refused]).toEqual([true, 1]);
	expect(await contentsIn(env.DB_2, partner)).toEqual(await contentsIn(env.DB, partner));
	for (const code of working) expect((await partner.listed(code)).status).toBe("sin_utilizar");
	expect((await ops("POST", "/audit/verify", {})).body.data.faults).toEqual([]);
	expect((await other.bulk()).status).toBe(201);

	expect(await move(partner, "clear")).toEqual({ kind: "refused", reason: "copy_too_young" });
	passTime(8 * 24 * 3_600_000);
	expect(await moveToEnd(partner, "clear")).toMatchObject({ move: { state: "open", other: null } });
	expect(await placesOf(partner)).toEqual([null, "open"]);
	expect(Object.values(await rowsIn(env.DB, partner)).flat()).toEqual([]);
	const moves = JSON.stringify(await rowsIn(env.DB_2, partner)).match(/(?<=")move(?:d|_\w+)(?=")/g);
	expect(moves).toEqual(["move_began", "moved", "move_began", "moved", "move_cleared"]);
});

test("what moves between two databases' answers is looked for once more", async () => {
	let asked = 0;
	const find = async () => (asked++ < DATABASES.length ? null : "there");
	expect(await findInOne(await platformOf(env), find)).toBe("there");
});

test("no statement of a move reads all of a partner's rows but those that count them", async () => {
	const { partner } = await busyPartner();
	const work = () => moveToEnd(partner, { to: 1 }, { between: () => partner.bulk() });
	const [, moved] = await tripsDuring(work);
	passTime(8 * DAY_MS);
	const [, cleared] = await tripsDuring(() => moveToEnd(partner, "clear"));
	const sent = [...moved, ...cleared].flat();
	const texts = new Map(sent.map(({ statement, params }) => [statement, params]));
	const whole: unknown[] = [];
	for (const [text, params] of texts) {
		if (!/[ +]"partner_id" = /.test(text) || /count\(\*\)|FROM "api_keys"/.test(text)) continue;
		const explained = env.DB_2.prepare(`EXPLAIN QUERY PLAN ${text}`).bind(...params);
		const plan = (await explained.raw()).join("\n");
		const reads = /TEMP B-TREE FOR ORDER BY$|(?<!partner_places .*)\(partner_id=\?\)$/gm;
		const firstRowsOnly = / LIMIT |iif\(EXISTS|ORDER BY id$/g;
		if ([...plan.matchAll(reads)].length > [...text.matchAll(firstRowsOnly)].length) whole.push([text, plan]);
	}
	expect(whole).toEqual([]);
	expect(texts.size).toBeGreaterThan(100);
});

test("a mover that is killed at every round trip, whose last one arrives or is lost, ends the move all the same", async () => {
	const { partner, issued } = await busyPartner();
	const before = await contentsIn(env.DB_2, partner);
	let kills = 0;
	let result: Awaited<ReturnType<typeof move>> | null = null;
	while (result?.kind !== "done" || result.move.next !== "done") {
		const wish = kills < 30 ? { to: 1 } : "on";
		const run = () => move(partner, wish).catch(() => null);
		// Fifteen trips: each is lost in one round and arrives in the next.
		result = await failingFrom(1 + (kills % 15), kills++ % 2 === 0 ? "arrives" : "is lost", run);
		expect((await ops("GET", `/pcodes/${issued}`)).status).toBe(200);
	}
	expect(kills).toBeGreaterThan(20);
	expect(await placesOf(partner)).toEqual(["open", "closed"]);
	expect(await contentsIn(env.DB, partner)).toEqual(before);
	expect((await partner.bulk()).status).toBe(201);
});

test("a row that the copy lost is found before the switch, and the move is given up", async () => {
	const { partner, issued } = await busyPartner();
	let lost = false;
	const lose = async () => {
		if (lost) return;
		lost = true;
		await env.DB.batch(
			[
				"UPDATE partner_places SET state = 'mover' WHERE partner_id = ?1",
				`DELETE FROM purchase_codes WHERE partner_id = ?1 AND code = '${issued}'`,
				"UPDATE partner_places SET state = 'closed' WHERE partner_id = ?1",
			].map((text) => env.DB.prepare(text).bind(partner.id)),
		);
	};
	expect(await moveToEnd(partner, { to: 1 }, { between: lose })).toMatchObject({
		move: { database: 2, state: "open" },
	});
	expect(lost).toBe(true);
	expect(await partner.status(issued)).toBe("EMITTED");
	// Nothing of the copy is left, and the partner works where it was.
	expect(await placesOf(partner)).toEqual([null, "open"]);
	expect(Object.values(await rowsIn(env.DB, partner)).flat()).toEqual([]);
	expect((await partner.bulk()).status).toBe(201);
});

test("a freeze that lasts too long is given up: the partner writes again, and moves a minute later", async () => {
	const { partner } = await busyPartner();
	for (let calls = 0; (await placesOf(partner))[1] !== "frozen"; calls++) {
		await failingFrom(10, "arrives", () => move(partner, { to: 1 }).catch(() => null));
		if (calls === 0) expect((await partner.bulk()).status).toBe(201);
	}
	expect((await partner.bulk()).status).toBe(503);
	// A mover that looked before the partner's last writes were noted closes nothing.
	const old = (await platformOf(env)).databases[1]!.db;
	await closePlace(old, (await findPlaceIn(old, partner.id))!, 0, Date.now());
	expect((await placesOf(partner))[1]).toBe("frozen");
	passTime(21_000);
	const statuses: number[] = [];
	const write = async () => statuses.push((await partner.bulk()).status);
	expect(await moveToEnd(partner, "on", { between: write })).toMatchObject({
		move: { database: 1, state: "moved" },
	});
	expect(statuses).toContain(201);
	expect(await contentsIn(env.DB, partner)).toEqual(await contentsIn(env.DB_2, partner));
});

test("a move that was broken off and that nobody asks for is ended by the cron of each minute", async () => {
	const { partner } = await busyPartner();
	stopClock();
	await failingFrom(12, "arrives", () => move(partner, { to: 1 }).catch(() => null));
	replaceTimers((setTimer) => (run, milliseconds, ...values) => {
		if (run !== giveUp) vi.setSystemTime(Date.now() + milliseconds);
		return setTimer(run, run === giveUp ? milliseconds : 0, ...values);
	});
	for (let minute = 0; minute < 9; minute++) await runCron(minute);
	expect(await placesOf(partner)).toEqual(["open", "closed"]);
	expect(await contentsIn(env.DB, partner)).toEqual(await contentsIn(env.DB_2, partner));
});

/** Days after the move on which something is due: deliveries, keys, reminders, lapses, the end of all that is kept. */
const LAST_DUE = 8_000;
const DUE_DAYS = [0, 2, 80, 95, 340, LAST_DUE];

test("rows that a partner left behind are listed by nobody, and no job sends or fails over them, or changes them but to erase", async () => {
	await freshService();
	const pictures = { dniFront: PNG, dniBack: PNG };
	const { partner, issued } = await busyPartner({ ...PEDRO, ...pictures });
	await requestOf(partner.id, issued, "name");
	const revoked = await partner.code();
	await partner.request({ pCode: revoked, ...JUANA });
	await partner.claim(revoked);
	await partner.request({ pCode: await partner.code(), ...JUANA, serialNumber: "999999999" });
	const serial: string = (await codeRow(revoked)).certificate_serial;
	expect((await ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" })).status).toBe(200);
	const platform = await platformOf(env);
	const caller = { ...cronCaller(platform, { name: "test" }, Date.now()), later: () => undefined };
	const shown = async () => [
		(await ops("GET", "/partners")).body.data.partners.map(({ id }: { id: string }) => id),
		(
			await listAllDeliveries(platform, { state: undefined, partnerId: undefined, limit: 100 })
		).deliveries.map(({ id }) => id),
		(await ops("POST", "/holders/search", { dni: JUANA.dni, reason: "ticket 1" })).body.data.codes,
		(await ops("GET", "/holder_requests")).body.data,
		...(await Promise.all([partner.id, issued, serial].map((text) => findAny(caller, text)))),
	];
	const before = await shown();
	expect(await moveToEnd(partner, { to: 1 })).toMatchObject({ move: { state: "moved" } });
	expect(await shown()).toEqual(before);
	const status = await findStatuses(platform, platform.authorities[0]!, [serial]);
	expect(status.facts).toMatchObject([{ serial, revocationReason: "superseded" }]);

	const old = await rowsIn(env.DB_2, partner);
	const here = await rowsIn(env.DB, partner);
	const [[keyId, key] = []] = [...platform.settings.sealingKeys];
	const newKey = crypto.getRandomValues(new Uint8Array(32));
	const sealer = await createSealer(
		new Map([
			["new1", newKey],
			[keyId!, key!],
		]),
	);
	const begun = Date.now();
	for (const [turn, days] of DUE_DAYS.entries()) {
		setTime(begun + days * DAY_MS + MINUTE_MS);
		await runCron();
		for (const job of days === LAST_DUE ? JOBS : byTurns(JOBS, 2, turn + 1)) {
			const asker = cronCaller({ ...platform, sealer }, job, Date.now());
			expect([job.name, (await runJob(asker, job)).silent]).toEqual([job.name, []]);
		}
	}
	const left = await rowsIn(env.DB, partner);
	const oldLeft = await rowsIn(env.DB_2, partner);
	// Counters that came to zero go where the partner lives.
	const { code_counts, ...others } = oldLeft;
	expect(code_counts).toEqual(old.code_counts);
	for (const [table, rows] of Object.entries(others)) {
		const key = PARTNER_TABLES.find(({ name }) => name === table)?.key ?? ["serial"];
		const byKey = (all: unknown[]) =>
			new Map((all as Record<string, unknown>[]).map((row) => [key.map((name) => row[name]).join(), row]));
		const [here, before] = [byKey(left[table]!), byKey(old[table]!)];
		for (const [id, row] of byKey(rows)) {
			expect(here.has(id), `${table} ${id}`).toBe(true);
			const erased = Object.entries(here.get(id)!).filter(
				([name, value]) => value === null && /sealed|pin_|rut_index/.test(name),
			);
			expect(row).toEqual({ ...before.get(id), ...Object.fromEntries(erased) });
		}
		for (const id of before.keys())
			expect([table, id, byKey(rows).has(id)]).toEqual([table, id, here.has(id)]);
	}
	const GONE = ["holders", "holder_emails", "evidence", "rut_attempts", "idempotency_keys", "leaves"];
	for (const table of GONE)
		expect([table, here[table]!.length > 0, left[table], oldLeft[table]]).toEqual([table, true, [], []]);
	for (const table of ["outbox", "certificates", "purchase_codes", "webhook_secrets"])
		expect(left[table], table).not.toEqual(here[table]);
});

test("old rows keep what a database that was set back does not have, and what is on its way back", async () => {
	const { partner } = await busyPartner();
	await moveToEnd(partner, { to: 1 });
	const platform = await platformOf(env);
	const erase = JOBS.find(({ name }) => name === "erase-old-copies")!;
	const run = async () => (await runJob(cronCaller(platform, erase, Date.now()), erase)).report.erased;
	const inDb = (...texts: string[]) =>
		env.DB.batch(texts.map((text) => env.DB.prepare(text).bind(partner.id)));
	await inDb(
		"DELETE FROM holders WHERE partner_id = ?",
		"UPDATE partner_places SET state = 'closed' WHERE partner_id = ?",
	);
	expect(await run()).toBe(0);
	const [seen] = (await findLeftPlaces(platform.databases[1]!.db, partner.id)) as [Seen];
	const holders = PARTNER_TABLES.find(({ name }) => name === "holders")!;
	const { keys } = await pageOldKeys(platform.databases[1]!.db, holders, partner.id, {
		after: null,
		limit: 9,
	});
	await inDb("UPDATE partner_places SET state = 'open' WHERE partner_id = ?");
	const older = { ...seen, place: { ...seen.place, epoch: seen.place.epoch - 1 } };
	const late = eraseOldRows(platform.databases[1]!.db, holders, older, { rows: keys, columns: [] });
	await expect(late).rejects.toThrow("partner_places.state");
	expect((await rowsIn(env.DB_2, partner)).holders).toHaveLength(keys.length);
	expect(await run()).toBe(keys.length);
	expect((await rowsIn(env.DB_2, partner)).holders).toEqual([]);
});
