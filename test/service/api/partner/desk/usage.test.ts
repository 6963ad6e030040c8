import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../../../src/domain/durations.ts";
import { USAGE_KINDS } from "../../../../../src/domain/usage.ts";
import { writeCursor } from "../../../../../src/http/cursor.ts";
import { setTime, yearOfNext } from "../../../../support/clock.ts";
import { activeCode } from "../../../../support/codes.ts";
import { execute } from "../../../../support/db.ts";
import { codeRow, select } from "../../../../support/look-inside.ts";
import { emitted, untilCrlIsBuilt } from "../../../../support/pki.ts";
import { freshService, JUANA, loadHolder, ops, Partner, type Product } from "../../../../support/service.ts";

const YEAR = yearOfNext("03-10");

beforeEach(freshService);
beforeEach(() => setTime(Date.UTC(YEAR, 2, 10, 12)));
afterEach(untilCrlIsBuilt);

type Sums = Record<(typeof USAGE_KINDS)[number], number>;

/** The sums of a month that are not zero. */
async function usageOf(partner: Partner, month: string, product: Product = "FV01"): Promise<Partial<Sums>> {
	const { status, body } = await partner.get(`/api/partner/v1/usage${month && `?month=${month}`}`);
	expect(status).toBe(200);
	const { product: _, ...sums } = body.data.products.find(
		(one: { product: string }) => one.product === product,
	);
	return Object.fromEntries(Object.entries(sums).filter(([, n]) => n !== 0)) as Partial<Sums>;
}

/** Findings of the reconciliation, which reads the tables. */
async function found(repair = false): Promise<string[]> {
	const cursor = writeCursor({ database: 2, at: { walk: "counters", after: [] } });
	const findings: string[] = [];
	for (let next: string | null = cursor; next !== null; ) {
		const { body } = await ops("POST", "/reconcile", { repair, cursor: next });
		for (const { kind, repaired } of body.data.findings) findings.push(`${kind} ${repaired}`);
		next = body.data.next;
	}
	return findings;
}

describe("GET /usage", () => {
	test("every product of the month, zeros included; no other partner's", {
		tags: ["usage-sums"],
	}, async () => {
		const partner = await Partner.create();
		await (await Partner.create()).bulk(7, "FV01");
		await partner.bulk(3, "FV01");
		await partner.bulk(500, "FV03");
		const { status, body } = await partner.get(`/api/partner/v1/usage?month=${YEAR}-03`);
		expect(status).toBe(200);
		const zeros = { created: 0, validated: 0, emitted: 0, revoked: 0, expired: 0 };
		expect(body).toEqual({
			success: true,
			data: {
				month: `${YEAR}-03`,
				time_zone: "America/Santiago",
				products: [
					{ product: "FV00", ...zeros },
					{ product: "FV01", ...zeros, created: 3 },
					{ product: "FV02", ...zeros },
					{ product: "FV03", ...zeros, created: 500 },
				],
			},
		});
		expect(await usageOf(partner, `${YEAR}-04`)).toEqual({});
	});

	test("a code counts as validated once, on the day of its first validation", {
		tags: ["usage-validated-once"],
	}, async () => {
		const { partner, pCode } = await activeCode();
		await partner.request({ pCode, ...JUANA, serialNumber: "999999999" });
		expect(await usageOf(partner, `${YEAR}-03`)).toEqual({ created: 1 });
		await partner.request({ pCode, ...JUANA });
		setTime(Date.UTC(YEAR, 3, 2, 12));
		expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
		expect((await partner.claim(pCode)).status).toBe(200);
		expect(await usageOf(partner, `${YEAR}-03`)).toEqual({ created: 1, validated: 1 });
		expect(await usageOf(partner, "")).toEqual({ emitted: 1 });
		expect(await found()).toEqual([]);
	});

	test("expired from the certificate's last moment on, exact to the moment", {
		tags: ["usage-expired"],
	}, async () => {
		const { partner, pCode } = await emitted();
		const { certificate_not_after: notAfter } = await codeRow(pCode);
		for (const [time, expired] of [
			[notAfter - 1, {}],
			[notAfter, { expired: 1 }],
			[notAfter + HOUR_MS, { expired: 1 }],
			[notAfter + 2 * DAY_MS, { expired: 1 }],
			[notAfter + 60 * DAY_MS, { expired: 1 }],
		] as const) {
			setTime(time);
			expect([time, await usageOf(partner, `${YEAR + 1}-03`)]).toEqual([time, expired]);
		}
		expect(await usageOf(partner, `${YEAR + 1}-04`)).toEqual({});
		expect(await found()).toEqual([]);
	});

	test("revoked once, by whatever way; it does not expire then. One that is revoked after its end did both", {
		tags: ["usage-revoked"],
	}, async () => {
		const partner = await Partner.create({ mode: "B2B" });
		const [cancelled, revoked, late] = [
			await emitted(partner, loadHolder(1)),
			await emitted(partner, loadHolder(2)),
			await emitted(partner, loadHolder(3)),
		];
		const cancel = { reason: "returned" };
		await ops("POST", `/pcodes/${cancelled.pCode}/cancel`, cancel);
		await ops("POST", `/pcodes/${cancelled.pCode}/cancel`, cancel);
		await ops("POST", `/certificates/${revoked.serial}/revoke`, { reason: "superseded" });
		await ops("POST", `/pcodes/${revoked.pCode}/cancel`, cancel);
		expect(await usageOf(partner, `${YEAR}-03`)).toEqual({
			created: 3,
			validated: 3,
			emitted: 3,
			revoked: 2,
		});
		setTime(Date.UTC(YEAR + 1, 2, 10, 12, 0, 1));
		expect(await usageOf(partner, `${YEAR + 1}-03`)).toEqual({ expired: 1 });
		await ops("POST", `/certificates/${late.serial}/revoke`, { reason: "superseded" });
		expect(await usageOf(partner, `${YEAR + 1}-03`)).toEqual({ revoked: 1, expired: 1 });
		setTime(Date.UTC(YEAR + 1, 3, 20, 12));
		expect(await usageOf(partner, `${YEAR + 1}-03`)).toEqual({ revoked: 1, expired: 1 });
		expect(await found()).toEqual([]);
	});

	test("a replacement counts as created, a serial that was never handed out as nothing", async () => {
		const { partner, pCode } = await activeCode();
		await ops("POST", `/pcodes/${pCode}/replace`, { reason: "lapsed" });
		await execute(
			"INSERT INTO certificates (serial, issuer_key_id, partner_id, code, revoked_at, revocation_reason) VALUES (?, 'c0ffee', ?, ?, ?, 'superseded')",
			...["7A".repeat(16), partner.id, pCode, Date.now()],
		);
		expect(await usageOf(partner, `${YEAR}-03`)).toEqual({ created: 2 });
		expect(await found()).toEqual([]);
	});

	test("months are those of America/Santiago", { tags: ["usage-santiago"] }, async () => {
		for (const [month, time] of [
			[`${YEAR}-11`, `${YEAR}-12-01T02:59:59.999Z`],
			[`${YEAR}-12`, `${YEAR}-12-01T03:00:00.000Z`],
			[`${YEAR + 1}-03`, `${YEAR + 1}-04-01T02:59:59.999Z`],
			[`${YEAR + 1}-04`, `${YEAR + 1}-04-01T03:00:00.000Z`],
			[`${YEAR + 1}-04`, `${YEAR + 1}-05-01T03:59:59.999Z`],
			[`${YEAR + 1}-05`, `${YEAR + 1}-05-01T04:00:00.000Z`],
		] as const) {
			setTime(new Date(time));
			const partner = await Partner.create();
			await partner.bulk(1);
			for (const asked of [month, ""])
				expect([time, await usageOf(partner, asked)]).toEqual([time, { created: 1 }]);
		}
	});
});

test("the table of offsets is that of the time zone until 2045", { tags: ["usage-santiago"] }, async () => {
	const rows = await select("SELECT starts_at, offset_ms FROM santiago_offsets ORDER BY starts_at");
	const parts = new Intl.DateTimeFormat("en", { timeZone: "America/Santiago", timeZoneName: "longOffset" });
	const offsetAt = (time: number) => {
		const name = parts.formatToParts(time).find(({ type }) => type === "timeZoneName")!.value;
		const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name)!;
		return Number(`${sign}1`) * (Number(hours) * HOUR_MS + Number(minutes) * 60_000);
	};
	const ends = rows.slice(1).flatMap(({ starts_at }) => [starts_at - 1, starts_at]);
	const until = Date.UTC(2045, 0, 1);
	const days = Array.from({ length: 22 * 365 }, (_, day) => Date.UTC(2023, 0, 2) + day * DAY_MS);
	const wrong = [...ends, ...days]
		.filter((time) => time < until)
		.filter((time) => rows.findLast(({ starts_at }) => starts_at <= time)!.offset_ms !== offsetAt(time))
		.map((time) => new Date(time).toISOString());
	expect(wrong).toEqual([]);
});

test("the reconciliation compares the counters with the tables: each wrong one is found, repaired, and then right", {
	tags: ["usage-reconciled"],
}, async () => {
	const partner = await Partner.create({ mode: "B2B" });
	const { serial } = await emitted(partner, loadHolder(1));
	await ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" });
	await emitted(partner, loadHolder(2));
	setTime(Date.UTC(YEAR + 1, 2, 30, 12));
	const all = async () => ({
		...(await usageOf(partner, `${YEAR}-03`)),
		...(await usageOf(partner, `${YEAR + 1}-03`)),
	});
	const before = await all();
	expect(before).toEqual({ created: 2, validated: 2, emitted: 2, revoked: 1, expired: 1 });
	for (const kind of USAGE_KINDS)
		for (const wrong of ["n = n + 1", "n = 0", "product = 'FV00'"]) {
			await execute(`UPDATE usage_counts SET ${wrong} WHERE kind = ?`, kind);
			const found3 = [await found(), await found(true), await found()];
			expect([kind, wrong, found3]).toEqual([kind, wrong, [["wrong_usage null"], ["wrong_usage true"], []]]);
			expect(await all()).toEqual(before);
		}
});
