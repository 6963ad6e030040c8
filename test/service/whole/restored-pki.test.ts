import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import type { Bindings } from "../../../src/bindings.ts";
import worker from "../../../src/dev.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/domain/durations.ts";
import { findMending } from "../../../src/mending.ts";
import { PurchaseCodeObject } from "../../../src/objects/purchase-code.ts";
import { crlKey } from "../../../src/pki/published-crl.ts";
import { uniteRevocations } from "../../../src/pki/unite-revocations.ts";
import { createAuthoritySettings, RETIRED } from "../../support/authority-settings.ts";
import { passTime, setTime } from "../../support/clock.ts";
import { execute, REGISTER } from "../../support/db.ts";
import { everyPage } from "../../support/every-page.ts";
import { select, selectOfNobody } from "../../support/look-inside.ts";
import { encodeRequest, readResponse } from "../../support/ocsp-client.ts";
import {
	authority,
	context,
	emitted,
	enterRevoked,
	listed,
	published,
	readCrl,
	responder,
	usePki,
} from "../../support/pki.ts";
import { openPlaces } from "../../support/places.ts";
import { ops } from "../../support/service.ts";
import { keepDatabase, setDatabaseBack } from "../../support/set-back.ts";

/*
 * Answers of CRL and OCSP while the database of the partners is put back to an earlier moment, alone, and until it has been told again
 * what it forgot.
 */

const THAWED = env as unknown as Bindings;
const FROZEN = { ...env, FROZEN: "DB_2" } as unknown as Bindings;
const TRY_LATER = 3;
const REVOKED = expect.stringMatching(/^revoked .* 1$/);

const cron = (bindings = THAWED) =>
	worker.scheduled(createScheduledController({ cron: "* * * * *" }), bindings);

async function get(path: string, bindings = THAWED, init: RequestInit = {}): Promise<Response> {
	const request = new Request(`http://service.test${path}`, init) as Request<
		unknown,
		IncomingRequestCfProperties
	>;
	return worker.fetch(request, bindings, createExecutionContext());
}

/** OCSP's word of each, or the status of the error. A nonce: no answer of before is given again. */
async function say(serials: readonly string[], bindings = THAWED, later = MINUTE_MS): Promise<unknown[]> {
	passTime(later);
	return Promise.all(
		serials.map(async (serial) => {
			const body = encodeRequest(responder, [{ serial }], crypto.getRandomValues(new Uint8Array(16)));
			const response = await get("/pki/ocsp", bindings, { method: "POST", body });
			const { responseStatus, statuses } = readResponse(new Uint8Array(await response.arrayBuffer()));
			return statuses[0] ?? responseStatus;
		}),
	);
}

const revoke = async (serial: string) => {
	await ops("POST", `/certificates/${serial}/revoke`, { reason: "keyCompromise" });
	await listed(serial);
};
const record = (restored_to: string) =>
	ops("POST", "/restores", { restored_to, reason: "test", database: 2 });
const mend = async (restored_to: string) =>
	(await ops("POST", "/restores/mend", { restored_to, database: 2 })).body.data;
const restores = async () =>
	(await selectOfNobody("SELECT * FROM audit_events WHERE entity = 'restore:DB_2' ORDER BY version")).map(
		({ action, outcome }) => `${action} ${outcome}`,
	);
const isReady = async () => (await (await get("/readyz")).json<{ data: object }>()).data;

usePki();
beforeEach(() => setTime(Date.now()));

test("a restore takes no revocation back: before, while frozen, during the mend and after it", async () => {
	const [revoked, good] = [await emitted(), await emitted()].map(({ serial }) => serial) as [string, string];
	await readCrl();
	await keepDatabase();
	const restoredTo = new Date().toISOString();
	passTime(MINUTE_MS);
	await revoke(revoked);
	// D1 will not have a row of it: its code is sold after the moment that D1 is put back to.
	const { serial: sold } = await emitted();
	await revoke(sold);
	const asked = [revoked, good, sold, "7A".repeat(16)];
	const serials = [revoked, sold].sort();
	expect(await say(asked)).toEqual([REVOKED, "good", REVOKED, "unknown"]);
	const { number } = await readCrl();

	await setDatabaseBack([REGISTER]);
	// Before any cron: the CRL alone knows.
	const held = [REVOKED, TRY_LATER, REVOKED, "unknown"];
	expect(await say(asked, FROZEN)).toEqual(held);
	await cron(FROZEN);
	const after = await readCrl();
	expect([after.serials.sort(), after.number]).toEqual([serials, number + 1]);
	expect(await say(asked, FROZEN)).toEqual(held);
	// D1 knows now too, and the number alone has told that it was put back: thawing does not end that.
	await env.PKI.delete((await env.PKI.list({ prefix: "crl/" })).objects.map(({ key }) => key));
	expect(await say(asked)).toEqual(held);
	await cron();
	expect((await readCrl()).serials.sort()).toEqual(serials);
	expect(await isReady()).toMatchObject({ status: "ready", mending: true });
	// What is revoked meanwhile goes on the list.
	const { serial: late } = await emitted();
	await revoke(late);
	expect(await say([late])).toEqual([REVOKED]);

	expect((await record(restoredTo)).status).toBe(201);
	expect(await mend(restoredTo)).toMatchObject({ failed: [], mending: false });
	expect(await say(asked)).toEqual([REVOKED, "good", REVOKED, "unknown"]);
	await cron();
	expect((await readCrl()).serials.sort()).toEqual([...serials, late].sort());
	expect(await isReady()).not.toHaveProperty("mending");
	expect(await restores()).toEqual([
		`restore_recorded ${restoredTo} test`,
		`mending_ended a walk from ${restoredTo} without failures`,
	]);
});

test("a mending ends by a walk that asks every code since and none fails, or by ops with a reason; a restore begins it anew", async () => {
	const { serial, pCode } = await emitted();
	const restoredTo = new Date().toISOString();
	passTime(MINUTE_MS);
	await record(new Date().toISOString());
	await record(restoredTo);
	expect(await findMending({ pki: env.PKI }, 2)).toMatchObject({ restoredTo: Date.parse(restoredTo) });
	vi.spyOn(PurchaseCodeObject.prototype, "mend").mockRejectedValueOnce(new Error("a bug"));
	expect(await mend(restoredTo)).toMatchObject({ failed: [pCode], mending: true });
	// A walk from a later moment leaves codes out.
	expect(await mend(new Date().toISOString())).toMatchObject({ failed: [], mending: true });
	// D1 is put back again while a walk runs: it had asked for less.
	const put = vi.spyOn(PurchaseCodeObject.prototype, "mend").mockImplementationOnce(async () => {
		await record(restoredTo);
		return { answer: { kind: "unchanged" } } as never;
	});
	expect(await mend(restoredTo)).toMatchObject({ failed: [], mending: true });
	put.mockRestore();
	expect(await say([serial])).toEqual([TRY_LATER]);
	expect((await ops("POST", "/restores/mend/end", { reason: " ", database: 2 })).status).toBe(400);
	const ended = await ops("POST", "/restores/mend/end", { reason: "an object is lost", database: 2 });
	expect(ended.body.data).toEqual({ mending: false });
	expect((await ops("POST", "/restores/mend/end", { reason: "again", database: 2 })).body.data).toEqual({
		mending: false,
	});
	expect(await say([serial])).toEqual(["good"]);
	expect((await restores()).slice(-2)).toEqual([
		`restore_recorded ${restoredTo} test`,
		"mending_ended an object is lost",
	]);
	await record(restoredTo);
	for (const later of [MINUTE_MS, 0]) expect(await say([serial], THAWED, later)).toEqual([TRY_LATER]);
});

test("as many revocations in the restored D1 as there were before are no reason to leave one out", async () => {
	await readCrl();
	await keepDatabase();
	const [before] = await enterRevoked(1);
	await cron();
	await setDatabaseBack([REGISTER]);
	const [since] = await enterRevoked(1);
	await cron();
	expect((await readCrl()).serials.sort()).toEqual([before, since].sort());
});

test("what D1 is told again while a CRL is built stays on it", async () => {
	await readCrl();
	await keepDatabase();
	const [mended, entered] = (await enterRevoked(2)) as [string, string];
	await cron();
	const rows = await select("SELECT * FROM certificates WHERE serial = ?", mended);
	await setDatabaseBack([REGISTER]);
	await openPlaces("pt_x");
	const { get } = env.PKI;
	// Between the reading of D1 and that of the published CRL: a walk enters one, the end of a mending the other.
	vi.spyOn(env.PKI, "get").mockImplementationOnce(async (...args) => {
		await execute(
			`INSERT INTO certificates (${Object.keys(rows[0]!).join()}) VALUES (${Object.keys(rows[0]!).map(() => "?")})`,
			...Object.values(rows[0]!),
		);
		await env.DB.prepare("INSERT INTO published_revocations VALUES (?, ?, ?, 'superseded')")
			.bind(authority.keyId, entered, Date.now())
			.run();
		return get.apply(env.PKI, args as [string]);
	});
	const before = (await published())!;
	const entries = await uniteRevocations(context(), before, null);
	expect(entries!.entries.count).toBe(2);
});

test("what only a CRL lists stays for the longest validity and a day, or until its certificate's known end", async () => {
	const { serial } = await emitted();
	await readCrl();
	await keepDatabase();
	await revoke(serial);
	const [unknown] = await enterRevoked(1);
	await cron();
	await setDatabaseBack([REGISTER]);
	await cron();
	expect((await readCrl()).serials).toEqual([serial, unknown].sort());
	const listedAfter = async (days: number) => {
		setTime(begin + days * DAY_MS);
		// An entry is on one CRL past its end.
		for (const _ of [1, 2]) {
			await cron();
			passTime(7 * HOUR_MS);
		}
		return (await readCrl()).serials;
	};
	const begin = Date.now();
	const [{ not_after: end }] = (await select(
		"SELECT not_after FROM certificates WHERE serial = ?",
		serial,
	)) as [{ not_after: number }];
	expect(await listedAfter((end - begin) / DAY_MS + 2)).toEqual([unknown]);
	expect(await listedAfter(3 * 366)).toEqual([unknown]);
	expect(await listedAfter(3 * 366 + 2)).toEqual([]);
});

test("a CRL of an authority without a key is entered by the cron alone; one that nobody of ours signed is not", async () => {
	const { serial } = await emitted();
	await readCrl();
	await keepDatabase();
	await revoke(serial);
	await setDatabaseBack([REGISTER]);
	const second = await createAuthoritySettings("TEST Second");
	const keyless = { ...env, ...second, ...RETIRED, RETIRED_1_ISSUING_KEY: "" } as unknown as Bindings;
	await cron(keyless);
	expect(await selectOfNobody("SELECT serial, revocation_reason FROM published_revocations")).toEqual([
		{ serial, revocation_reason: "keyCompromise" },
	]);
	expect(await say([serial], keyless)).toEqual([REVOKED]);

	const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
	const der = await (await env.PKI.get(crlKey(authority)))!.bytes();
	der[der.length - 1]! ^= 1;
	await env.PKI.put(crlKey(authority), der);
	await cron(keyless);
	expect(errors.mock.calls.join()).toContain("crl_not_refreshed");
	await env.PKI.delete(crlKey(authority));
});

test("what partners set is read a page of partners at a time, with keys and secrets in force, and no hash or secret", async () => {
	const partners = await Promise.all(
		Array.from({ length: 51 }, (_, i) => ops("POST", "/partners", { name: `Partner ${i}` })),
	);
	const { partner } = partners[0]!.body.data;
	const [key] = (await ops("GET", `/partners/${partner.id}`)).body.data.keys;
	await ops("PATCH", `/partners/${partner.id}`, { webhook_url: "https://partner.example/hook" });
	await ops("DELETE", `/partners/${partner.id}/keys/${key.id}`);
	const pages = await everyPage(async (from) => (await ops("POST", "/restores/settings", from)).body.data);
	type SetRow = { table: string; id: string; partner_id: string; fields: object };
	const rows: SetRow[] = pages.flatMap((page) => page.rows);
	const sizes = pages.map((page) => page.rows.filter(({ table }: SetRow) => table === "partners").length);
	expect(sizes).toEqual([50, 1]);
	const counted = Object.entries(Object.groupBy(rows, ({ table }) => table));
	expect(counted.map(([table, of]) => [table, of!.length])).toEqual([
		["partners", 51],
		["api_keys", 50],
		["webhook_secrets", 51],
	]);
	const own = rows.filter(({ partner_id }) => partner_id === partner.id);
	expect(own.map(({ table }) => table)).toEqual(["partners", "webhook_secrets"]);
	for (const { fields } of rows)
		for (const hidden of ["hash", "secret_sealed"]) expect(fields).not.toHaveProperty(hidden);
});
