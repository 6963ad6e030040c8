import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { DAY_MS } from "../../../src/domain/durations.ts";
import { LIST_STATUSES } from "../../../src/domain/status-tables.ts";
import { passTime, stopClock } from "../../support/clock.ts";
import { act, signIn } from "../../support/console.ts";
import { interceptDb, tripsDuring } from "../../support/failing-db.ts";
import { actOps, signInOps } from "../../support/ops-console.ts";
import { type Answer, freshService, loadHolder, Partner } from "../../support/service.ts";

/* A step reads a bounded number of rows, whatever its partner has bought: D1 runs one query at a time. */

beforeAll(freshService);

const STOCK = 1_500;

/** Rows that D1 read in the batches of a call. */
async function rowsRead(act: () => Promise<Answer>): Promise<number> {
	let rows = 0;
	const { status } = await interceptDb(async (_, deliver) => {
		const result = await deliver();
		for (const { meta } of [result].flat() as D1Result[]) rows += meta?.rows_read ?? 0;
		return result;
	}, act);
	expect(status).toBeOneOf([200, 303]);
	return rows;
}

async function rowsOfFlow(partner: Partner): Promise<{ request: number; claim: number }> {
	const holder = loadHolder(7);
	const pCode = await partner.code();
	await rowsRead(() => partner.request({ pCode, ...holder }));
	// Anew: its e-mail is one that a code of the RUT carries already.
	const request = await rowsRead(() => partner.request({ pCode, ...holder }));
	const claim = await rowsRead(() => partner.claim(pCode, { dni: holder.dni, pin: holder.pin }));
	return { request, claim };
}

test("a certificate_request and its claim read as much of a partner with 1,500 codes as of one with one", async () => {
	const small = await rowsOfFlow(await Partner.create());
	const large = await Partner.create();
	for (let codes = 0; codes < STOCK; codes += 500) await large.bulk(500);
	const { request, claim } = await rowsOfFlow(large);
	expect(request).toBeGreaterThan(0);
	expect(request).toBeLessThan(small.request + 50);
	expect(claim).toBeLessThan(small.claim + 50);
});

/** 600 wrong claims a minute, five a lock of 30 minutes. */
const LOCKED = 3_600;

test("a filtered page of a partner with 3,600 locked codes reads fewer than 5,000 rows", async () => {
	const partner = await Partner.create();
	for (let codes = 0; codes < 4_000; codes += 500) await partner.bulk(500);
	await env.DB_2.prepare(
		"UPDATE purchase_codes SET validation_locked_until = ? WHERE partner_id = ? AND seq <= ?",
	)
		.bind(Date.now() + 1_800_000, partner.id, LOCKED)
		.run();
	const costly: unknown[] = [];
	for (const query of [
		...LIST_STATUSES.map((status) => `?status=${status}`),
		"?status=bloqueado&page=2",
		"?status=bloqueado&page=36",
		"?status=bloqueado&page=72",
		"?status=sin_utilizar&page=8",
	]) {
		const rows = await rowsRead(() => partner.list(query));
		if (rows >= 5_000) costly.push([query, rows]);
	}
	expect(costly).toEqual([]);
});

test("a code that leaves the list between the two trips leaves the page one shorter, not empty", async () => {
	const partner = await Partner.create();
	await partner.bulk(400);
	await env.DB_2.prepare(
		"UPDATE purchase_codes SET validation_locked_until = ? WHERE partner_id = ? AND seq > 150",
	)
		.bind(Date.now() + 1_800_000, partner.id)
		.run();
	const { body } = await interceptDb(
		async (_, deliver, sql) => {
			const result = await deliver();
			if (sql.includes("AS older"))
				await env.DB_2.prepare(
					"UPDATE purchase_codes SET validated_at = 1 WHERE partner_id = ? AND seq = 100",
				)
					.bind(partner.id)
					.run();
			return result;
		},
		() => partner.list("?status=sin_utilizar"),
	);
	expect([body.data.pagination.total, body.data.pcodes.length]).toEqual([150, 50]);
});

test("the newest page of every status is one trip to D1 while 1,200 codes are locked", async () => {
	const partner = await Partner.create();
	for (let codes = 0; codes < 2_500; codes += 500) await partner.bulk(500);
	await env.DB_2.prepare(
		"UPDATE purchase_codes SET validation_locked_until = ? WHERE partner_id = ? AND seq % 2 AND seq < 2400",
	)
		.bind(Date.now() + 1_800_000, partner.id)
		.run();
	const trips: Record<string, number> = {};
	for (const status of LIST_STATUSES) {
		const [{ body }, made] = await tripsDuring(() => partner.list(`?status=${status}`));
		trips[status] = made.length;
		const { pagination, pcodes } = body.data;
		expect(pcodes).toHaveLength(Math.min(50, pagination.total));
	}
	expect(trips).toEqual(Object.fromEntries(LIST_STATUSES.map((status) => [status, 1])));
});

test("lists that filter by the same fields send the same SQL at any moment, so that D1 finds it compiled", async () => {
	const partner = await Partner.create();
	await partner.bulk(5);
	const batch = (await partner.list()).body.data.pcodes[0].batch_id;
	const other = await Partner.create();
	await other.bulk(3);
	const sent = async (from: Partner, query: string) => {
		const [{ status }, trips] = await tripsDuring(() => from.list(query));
		expect(status).toBe(200);
		return trips.flat().map(({ statement }) => statement);
	};
	stopClock();
	for (const [first, second] of [
		["", "?page=2&limit=3"],
		["?status=sin_utilizar", "?status=sin_utilizar&limit=2"],
		["?status=sin_utilizar&page=2&limit=1", "?status=sin_utilizar&page=3&limit=1"],
		["?status=validado&created_from=2026-01-01", "?status=validado&created_to=2027-01-01"],
		["?external_reference_id=a", "?external_reference_id=b"],
		[`?batch_id=${batch}`, "?batch_id=bt_other"],
	] as const) {
		const texts = await sent(partner, first);
		// SQLite would compile it anew each time the parameter is bound.
		expect(texts.join("\n")).not.toMatch(/LIMIT \?\d+\b(?! \+)/);
		passTime(1_000);
		expect([second, await sent(other, second)]).toEqual([second, texts]);
	}
});

test("a search of either console reads what it shows, not the 1,500 codes of one reference", {
	tags: ["console-find"],
}, async () => {
	const partner = await Partner.create();
	for (let codes = 0; codes < STOCK; codes += 500) await partner.bulk(500);
	await env.DB_2.prepare("UPDATE purchase_codes SET external_reference_id = 'shared' WHERE partner_id = ?")
		.bind(partner.id)
		.run();
	const [{ pcode: code, batch_id: batch }] = (await partner.list("?limit=1")).body.data.pcodes;
	const [browser, opsBrowser] = [await signIn(partner), await signInOps()];
	const rows: Record<string, number> = {};
	for (const [console, search] of [
		["own", (text: string) => act(browser, "/console/find", [["q", text]])],
		["ops", (text: string) => actOps(opsBrowser, "/find", [["q", text]])],
	] as const) {
		// The pages around a search have their own: one that finds nothing is subtracted.
		const nothing = await rowsRead(() => search("!"));
		for (const text of [
			...[code.slice(0, 4), code, "shared", batch],
			...["0".repeat(32), loadHolder(1).dni, "Partner"],
		])
			rows[`${console}: ${text}`] = (await rowsRead(() => search(text))) - nothing;
	}
	expect(Object.entries(rows).filter(([, read]) => read > 60)).toEqual([]);
});

test("an address that is set reads the dead letters, not the 1,500 deliveries that arrived", async () => {
	const partner = await Partner.create({ mode: "B2B", delivery_email: "entregas@partner.example" });
	const change = () => partner.change({ delivery_email: "nuevas@partner.example" });
	const before = await rowsRead(change);
	const rows = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${STOCK})
		INSERT INTO outbox (id, partner_id, code, event, channel, created_at, delivered_at)
		SELECT 'sent-' || i, ?, 'P-' || i, 'certificate.emitted', 'email', i, i FROM n`;
	await env.DB_2.prepare(rows).bind(partner.id).run();
	expect((await rowsRead(change)) - before).toBeLessThan(50);
});

test("a partner's own calls read what they show, not the 1,500 certificates, of which 1,400 are revoked", {
	tags: ["certificates-rows"],
}, async () => {
	const partner = await Partner.create();
	for (let codes = 0; codes < STOCK; codes += 500) await partner.bulk(500);
	const end = Date.now() + 365 * DAY_MS;
	await env.DB_2.batch(
		[
			`INSERT INTO certificates (serial, issuer_key_id, partner_id, code, issued_at, not_before, not_after, revoked_at)
				SELECT printf('%032X', seq), 'c0ffee', partner_id, code, created_at, created_at, ?1 + seq, iif(seq > 100, created_at, NULL)
				FROM purchase_codes WHERE partner_id = ?2`,
			`UPDATE purchase_codes SET validated_at = created_at, issued_at = created_at,
				certificate_serial = printf('%032X', seq), certificate_not_after = ?1 + seq WHERE partner_id = ?2`,
		].map((sql) => env.DB_2.prepare(sql).bind(end, partner.id)),
	);
	const [code] = (await partner.list("?limit=1")).body.data.pcodes;
	const costly: unknown[] = [];
	for (const [path, most] of [
		["certificates?limit=10", 60],
		["certificates?limit=10&validity=valid", 60],
		["certificates?limit=10&validity=revoked", 60],
		["certificates?limit=10&validity=expired", 60],
		["certificates?limit=10&expiring_before=2099-01-01", 60],
		["usage", 60],
		[`pcodes/${code.pcode}`, 20],
	] as const) {
		const rows = await rowsRead(() => partner.get(`/api/partner/v1/${path}`));
		if (rows > most) costly.push([path, rows]);
	}
	const body = { dni: loadHolder(1).dni };
	const rows = await rowsRead(() => partner.post("/api/partner/v1/certificates/search", body));
	if (rows > 20) costly.push(["search", rows]);
	expect(costly).toEqual([]);
});
