import { beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../../../src/domain/durations.ts";
import { passTime, stopClock } from "../../../../support/clock.ts";
import { activeCode, operate } from "../../../../support/codes.ts";
import { execute } from "../../../../support/db.ts";
import { invalid, refusal } from "../../../../support/refusal.ts";
import { freshService, JUANA, loadHolder, ops, Partner } from "../../../../support/service.ts";
import { frame, sessionOf } from "../../../../support/widget.ts";

beforeAll(freshService);

describe("§2.1 list item", () => {
	test("§2.1 has exactly these fields, with these values for a fresh code", {
		tags: ["list-item", "list-pagination"],
	}, async () => {
		stopClock();
		const now = Date.now();
		const partner = await Partner.create({ name: "Notaría Ñuñoa" });
		const { batchId, pcodes } = (await partner.bulk(1, "FV02")).body.data;
		const { status, body } = await partner.list();
		expect(status).toBe(200);
		expect(body).toEqual({
			success: true,
			data: {
				pcodes: [
					{
						pcode: pcodes[0],
						partnerName: "Notaría Ñuñoa",
						category: 2,
						status: "sin_utilizar",
						processing: 0,
						batch_id: batchId,
						external_reference_id: null,
						expires_at: new Date(now + 14 * DAY_MS).toISOString(),
						created_at: new Date(now).toISOString(),
						updated_at: new Date(now).toISOString(),
					},
				],
				pagination: { total: 1, page: 1, limit: 50 },
			},
		});
	});

	test('decision "external_reference_id": the referenceId of the latest accepted request, else null', {
		tags: ["list-reference"],
	}, async () => {
		const { partner, pCode: code } = await activeCode();
		const seen = [(await partner.listed(code)).external_reference_id];
		for (const [referenceId, serialNumber] of [
			["refused", "999999999"],
			["first", JUANA.serialNumber],
			["refused again", "999999999"],
			["second", JUANA.serialNumber],
		] as const) {
			await partner.request({ pCode: code, ...JUANA, referenceId, serialNumber });
			seen.push((await partner.listed(code)).external_reference_id);
		}
		expect(seen).toEqual([null, null, "first", "first", "second"]);
	});

	test("updated_at moves with each change of the code, created_at and expires_at never", {
		tags: ["list-times"],
	}, async () => {
		stopClock();
		const { partner, pCode: code } = await activeCode();
		const fresh = await partner.listed(code);
		passTime(MINUTE_MS);
		await partner.request({ pCode: code, ...JUANA });
		const validated = await partner.listed(code);
		expect(Date.parse(validated.updated_at) - Date.parse(fresh.updated_at)).toBe(MINUTE_MS);
		expect([validated.created_at, validated.expires_at]).toEqual([fresh.created_at, fresh.expires_at]);
		passTime(MINUTE_MS);
		await operate(code, "cancel");
		expect(Date.parse((await partner.listed(code)).updated_at)).toBe(Date.now());
	});
});

type Reach = (partner: Partner, code: string, holder: typeof JUANA) => Promise<unknown>;
/** The aged code comes first: in D1, older codes lie before newer ones. */
const REACHED: Record<string, Reach> = {
	expirado: (_partner, code) => ageByWindow(code),
	sin_utilizar: async () => {},
	validado: (partner, pCode, holder) => partner.request({ pCode, ...holder }),
	emitido: async (partner, pCode, holder) => {
		await partner.request({ pCode, ...holder });
		await partner.claim(pCode, { dni: holder.dni, pin: holder.pin });
	},
	bloqueado: (_partner, code) => operate(code, "block"),
	anulado: (_partner, code) => operate(code, "cancel"),
	en_proceso: async (partner, code) => frame(await sessionOf(partner, code), "POST", "/open"),
};

test("§3.2 the seven list statuses, each reached through calls and found by its filter; the totals add up", {
	tags: ["list-statuses", "list-filter-status", "list-total"],
}, async () => {
	const partner = await Partner.create();
	const expected: Record<string, string> = {};
	for (const [i, [status, reach]] of Object.entries(REACHED).entries()) {
		const code = await partner.code();
		await reach(partner, code, loadHolder(100 + i));
		expected[code] = status;
	}
	const { data } = (await partner.list()).body;
	expect(Object.fromEntries(data.pcodes.map((item: Item) => [item.pcode, item.status]))).toEqual(expected);
	for (const [code, status] of Object.entries(expected)) {
		const found = await partner.list(`?status=${status}`);
		expect([codesOf(found), found.body.data.pagination.total]).toEqual([[code], 1]);
	}
});

describe('decision "order": newest first, then by code; stable while codes are added', () => {
	test("newest batch first, codes ascending within a batch, also when batches share a moment", {
		tags: ["list-order"],
	}, async () => {
		stopClock();
		const partner = await Partner.create();
		const batches: string[][] = [];
		for (const pause of [0, 0, 0, MINUTE_MS]) {
			passTime(pause);
			batches.unshift((await partner.bulk(4)).body.data.pcodes);
		}
		const items = (await partner.list()).body.data.pcodes as Item[];
		expect(items.map(({ pcode }) => pcode)).toEqual(batches.flatMap((codes) => codes.toSorted()));
		const keys = items.map(({ created_at, pcode }) => [-Date.parse(created_at), pcode] as const);
		expect(keys).toEqual(keys.toSorted((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1)));
	});

	test("a page past the start shifts by exactly the codes added, and no code changes places", {
		tags: ["list-order-stable"],
	}, async () => {
		const partner = await Partner.create();
		await partner.bulk(30);
		const before = codesOf(await partner.list("?limit=500"));
		await partner.bulk(10);
		const after = codesOf(await partner.list("?limit=500"));
		expect(after.slice(10)).toEqual(before);
		expect(codesOf(await partner.list("?limit=10&page=2"))).toEqual(before.slice(0, 10));
	});
});

describe("§4.5 page, limit, pagination", () => {
	test('decision "page, limit": from 1, default 50; beyond the end a page is empty and still tells the total', {
		tags: ["list-page-default"],
	}, async () => {
		const partner = await Partner.create();
		await partner.bulk(51);
		for (const [query, page, limit, length] of [
			["", 1, 50, 50],
			["?page=2", 2, 50, 1],
			["?page=99&limit=2", 99, 2, 0],
		] as const) {
			const { data } = (await partner.list(query)).body;
			expect([data.pcodes.length, data.pagination]).toEqual([length, { total: 51, page, limit }]);
		}
	});

	test("pages put together are the list, none twice and none left out, for every page size", {
		tags: ["list-pages"],
	}, async () => {
		const partner = await Partner.create();
		await partner.bulk(23);
		const all = codesOf(await partner.list("?limit=500"));
		for (const limit of [1, 7, 23, 24]) {
			const pages: string[] = [];
			for (let page = 1; page <= Math.ceil(23 / limit); page++)
				pages.push(...codesOf(await partner.list(`?limit=${limit}&page=${page}`)));
			expect(pages).toEqual(all);
		}
	});

	test('decision "page, limit": what is no number from 1, or a limit over 500, is 400 naming it', {
		tags: ["list-page-invalid", "list-limit-maximum"],
	}, async () => {
		const partner = await Partner.create();
		const none = ["0", "-1", "+1", "1.0", "1e2", "0x1", " 1", "1 ", "٣", "99999999999", "1;--", "null"];
		for (const value of none.map(encodeURIComponent))
			expect(refusal(await partner.list(`?page=${value}&limit=${value}`))).toEqual(
				invalid("page INVALID_VALUE", "limit INVALID_VALUE"),
			);
		for (const query of ["page=1", "page=1000000000", "limit=1", "limit=500", "page=01"])
			expect([query, (await partner.list(`?${query}`)).status]).toEqual([query, 200]);
		expect(refusal(await partner.list("?limit=501"))).toEqual(invalid("limit INVALID_VALUE"));
	});
});

describe("§4.5 filters", () => {
	test("batch_id, external_reference_id exactly as in the latest accepted request, and all filters together", {
		tags: ["list-filter-batch", "list-filter-reference"],
	}, async () => {
		const partner = await Partner.create();
		const { batchId, pcodes } = (await partner.bulk(3)).body.data;
		await partner.bulk(2);
		const totalOf = async (query: string) =>
			(await partner.list(`?limit=1&${query}`)).body.data.pagination.total;
		expect(codesOf(await partner.list(`?batch_id=${batchId}`))).toEqual(pcodes.toSorted());
		expect([await totalOf(`batch_id=${batchId}`), await totalOf("batch_id=bt_unknown")]).toEqual([3, 0]);
		for (const [i, referenceId] of ["order 7 / ñ", "order 7 / ñ", "ORDER 7 / Ñ"].entries())
			await partner.request({ pCode: pcodes[i], ...loadHolder(i), referenceId });
		const filter = `external_reference_id=${encodeURIComponent("order 7 / ñ")}`;
		expect(codesOf(await partner.list(`?${filter}`))).toEqual(pcodes.slice(0, 2).toSorted());
		const whole = `${filter}&batch_id=${batchId}&created_from=2020-01-01&created_to=2099-01-01&status=`;
		expect([await totalOf(`${whole}validado`), await totalOf(`${whole}emitido`)]).toEqual([2, 0]);
		await partner.request({ pCode: pcodes[0], ...loadHolder(0), referenceId: "moved" });
		expect(codesOf(await partner.list(`?${filter}`))).toEqual([pcodes[1]]);
	});

	test("created_from and created_to: both ends included, a bare created_to takes in the whole day", {
		tags: ["list-filter-dates", "list-created-to-whole-day"],
	}, async () => {
		stopClock();
		const partner = await Partner.create();
		const noon = Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
		passTime(noon - Date.now());
		const code = await partner.code();
		const day = new Date(noon).toISOString().slice(0, 10);
		const before = new Date(noon - DAY_MS).toISOString().slice(0, 10);
		const after = new Date(noon + DAY_MS).toISOString().slice(0, 10);
		const iso = (offset: number) => new Date(noon + offset).toISOString();
		const santiago = `${iso(-3 * 60 * MINUTE_MS).slice(0, 19)}-03:00`;
		const within = [
			`created_from=${day}`,
			`created_to=${day}`,
			`created_from=${day}&created_to=${day}`,
			`created_from=${before}&created_to=${after}`,
			`created_from=${iso(0)}`,
			`created_to=${iso(0)}`,
			`created_from=${iso(0)}&created_to=${iso(0)}`,
			`created_from=${iso(0).slice(0, 19)}`,
			`created_from=${santiago}&created_to=${santiago}`,
			`created_from=${encodeURIComponent(`${iso(5.5 * 60 * MINUTE_MS).slice(0, 19)}+05:30`)}`,
		];
		const outside = [
			`created_from=${after}`,
			`created_to=${before}`,
			`created_from=${iso(1)}`,
			`created_to=${iso(-1)}`,
			`created_to=${iso(0).slice(0, 19)}%2B05:30`,
			`created_from=${iso(0).slice(0, 19)}-03:00`,
		];
		for (const query of within)
			expect([query, codesOf(await partner.list(`?${query}`))]).toEqual([query, [code]]);
		for (const query of outside)
			expect([query, codesOf(await partner.list(`?${query}`))]).toEqual([query, []]);
	});

	const NO_DATE = ["2026", "2026-02-30", "31-02-2026", "2026-11-21T10", "now", "1763719200000", "٢٠٢٦-11-21"];
	const NO_TEXT = [" ", "\u0000", "\r\n", "r".repeat(129)];
	const INVALID: Record<string, readonly string[]> = {
		status: ["activo", "ACTIVE", "SIN_UTILIZAR", "sin_utilizar ", "emitido,validado", "__proto__", "\u0000"],
		created_from: [...NO_DATE, "2026-11-21\u0000", "x".repeat(5000)],
		created_to: NO_DATE,
		external_reference_id: NO_TEXT,
		batch_id: NO_TEXT,
	};

	test("a value that a filter cannot have is 400 naming it; an unknown status is answered with the allowed ones", {
		tags: ["list-unknown-status"],
	}, async () => {
		const partner = await Partner.create();
		for (const [name, values] of Object.entries(INVALID))
			for (const value of values) {
				const answer = await partner.list(`?${name}=${encodeURIComponent(value)}`);
				expect([value, ...refusal(answer)]).toEqual([value, ...invalid(`${name} INVALID_VALUE`)]);
			}
		const [detail] = (await partner.list("?status=activo")).body.details;
		for (const status of Object.keys(REACHED)) expect(detail.message).toContain(status);
	});

	test('decision "created_from, created_to": from after to is 400, and hides nothing else that is wrong', {
		tags: ["list-from-after-to"],
	}, async () => {
		const partner = await Partner.create();
		for (const [from, to] of [
			["2026-11-22", "2026-11-21"],
			["2026-11-21T00:00:00.001Z", "2026-11-21T00:00:00Z"],
		])
			expect(refusal(await partner.list(`?created_from=${from}&created_to=${to}`))).toEqual(
				invalid("created_from INVALID_VALUE"),
			);
		for (const query of ["page=x", "status=usado"]) {
			const answer = await partner.list(`?created_from=2026-11-22&created_to=2026-11-21&${query}`);
			expect(refusal(answer)).toContain(`${query.split("=")[0]} INVALID_VALUE`);
		}
	});

	test('decision "normalised": an empty query parameter is as not sent, an unknown one and that of a CSV too', {
		tags: ["request-normalised"],
	}, async () => {
		const partner = await Partner.create();
		await partner.bulk(2);
		const names = [...Object.keys(INVALID), "page", "limit", "unheard_of"];
		const empty = `?${names.map((name, i) => (i % 2 ? name : `${name}=`)).join("&")}`;
		const whole = (await partner.list()).body;
		expect((await partner.list(empty)).body).toEqual(whole);
		expect((await partner.list(`${empty}&limit=1`)).body.data.pagination.limit).toBe(1);
		expect((await partner.get(`/api/partner/v1/pcodes${empty}`, { accept: "text/csv" })).status).toBe(200);
		expect((await ops("GET", `/partners${empty}`)).status).toBe(200);
	});

	test('decision "unknown query parameter": 400, each named', {
		tags: ["query-unknown-parameter"],
	}, async () => {
		const partner = await Partner.create();
		for (const path of ["/api/partner/v1/pcodes?limit=1", "/api/partners/v1/status?p_code=x"])
			for (const name of ["__proto__", "constructor", "toString", "P_CODE", "p_code[]", "$ne", "Status"])
				expect(refusal(await partner.get(`${path}&${encodeURIComponent(name)}=1`))).toEqual(
					invalid(`${name} UNKNOWN_FIELD`),
				);
		expect(refusal(await partner.list("?estado=x&order=asc&offset=1"))).toEqual(
			invalid("estado UNKNOWN_FIELD", "order UNKNOWN_FIELD", "offset UNKNOWN_FIELD"),
		);
	});

	test('decision "repeated query parameter": 400, on every parameter', {
		tags: ["query-repeated-parameter"],
	}, async () => {
		const partner = await Partner.create();
		const good = ["status=emitido", "page=1", "limit=10", "created_from=2026-11-21", "created_to=2026-11-21"];
		for (const pair of [...good, "external_reference_id=a", "batch_id=b"]) {
			const { status, body } = await partner.list(`?${pair}&${pair}`);
			expect([status, body.details]).toMatchObject([400, [{ field: pair.split("=")[0] }]]);
		}
	});
});

test("§5.4 the list is the calling partner's: no filter reaches another partner's codes", {
	tags: ["list-scope", "bulk-scope"],
}, async () => {
	const [ours, theirs] = [await Partner.create(), await Partner.create()];
	const { batchId, pcodes } = (await theirs.bulk(3)).body.data;
	await theirs.request({ pCode: pcodes[0], ...JUANA });
	const own = await ours.code();
	for (const query of ["", "?limit=500", "?created_from=2020-01-01", "?status=sin_utilizar"])
		expect(codesOf(await ours.list(query))).toEqual([own]);
	for (const query of [
		`?batch_id=${batchId}`,
		`?external_reference_id=${JUANA.referenceId}`,
		"?status=validado",
	])
		expect(codesOf(await ours.list(query))).toEqual([]);
});

test("partnerName follows the partner's name of the moment", { tags: ["list-partner-name"] }, async () => {
	const { partner, pCode } = await activeCode({ name: "Before" });
	await partner.change({ name: "After" });
	expect((await partner.listed(pCode)).partnerName).toBe("After");
});

interface Item {
	pcode: string;
	status: string;
	created_at: string;
}

function codesOf({ body }: { body: { data: { pcodes: Item[] } } }): string[] {
	return body.data.pcodes.map(({ pcode }) => pcode);
}

/** Moves a code and its batch back by the whole window. */
async function ageByWindow(code: string): Promise<void> {
	const back = "SET created_at = created_at - ?";
	await execute(`UPDATE purchase_codes ${back} WHERE code = ?`, 14 * DAY_MS, code);
	const itsBatch = "SELECT batch_id FROM purchase_codes WHERE code = ?";
	await execute(`UPDATE batches ${back} WHERE id = (${itsBatch})`, 14 * DAY_MS, code);
}
