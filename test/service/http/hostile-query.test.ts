import { beforeAll, expect, test } from "vitest";
import { expectBareRefusal, namedFields, withoutWriting } from "../../support/hostile.ts";
import { refusal } from "../../support/refusal.ts";
import { freshService, ops, Partner } from "../../support/service.ts";

let partner: Partner;
let pCode: string;

beforeAll(async () => {
	await freshService();
	partner = await Partner.create();
	pCode = await partner.code();
});

const STATUS = "/api/partners/v1/status";
const LIST = "/api/partner/v1/pcodes";
const SQL = "'; DROP TABLE purchase_codes; --";
const encoded = encodeURIComponent;

/** A refused GET: 400 that names these fields. */
async function expectRefused(path: string, ...fields: string[]): Promise<void> {
	await withoutWriting(async () => {
		const answer = await partner.get(path);
		expectBareRefusal(answer, [partner.key]);
		expect([path, answer.status, namedFields(answer)]).toEqual([path, 400, fields.sort()]);
	});
}

test("§4.3 missing p_code gives 400", { tags: ["status-code-required"] }, async () => {
	for (const query of ["", "?", "?=", "?=x", "?P_CODE=x&"]) {
		const answer = await partner.get(`${STATUS}${query}`);
		expectBareRefusal(answer, [partner.key]);
		expect(refusal(answer)).toContain("p_code REQUIRED");
	}
});

test.for([
	"",
	"%20",
	"%00",
	"%0a",
	"x%00",
	"%C2%85",
	"%E2%80%A8",
	"x".repeat(65),
	"x".repeat(8000),
	"%F0%9F%82%A1".repeat(65),
])("§4.3 p_code %# is no string that a code could be: 400", (value) =>
	expectRefused(`${STATUS}?p_code=${value}`, "p_code"),
);

test.for([
	SQL,
	"__proto__",
	"constructor",
	"null",
	"undefined",
	"%ED%A0%80",
	"%",
	"%zz",
	"../../ops",
	"7K3M-9QXT-2B4C-H8W\u00f1",
])("§3.1 rank 8: p_code %j does not exist", async (value) => {
	await withoutWriting(async () => {
		const query = value.startsWith("%") ? value : encoded(value);
		const { status, body } = await partner.get(`${STATUS}?p_code=${query}`);
		expect([status, body.data?.status]).toEqual([200, "NOT_FOUND"]);
	});
});

test('decision "repeated query parameter": 400, on every parameter', {
	tags: ["query-repeated-parameter"],
}, async () => {
	await expectRefused(`${STATUS}?p_code=${pCode}&p_code=${pCode}`, "p_code");
	await expectRefused(`${STATUS}?p_code=&p%5fcode=${pCode}`, "p_code");
	for (const [name, value] of [
		["status", "sin_utilizar"],
		["page", "1"],
		["limit", "1"],
		["created_from", "2026-01-01"],
		["created_to", "2027-01-01"],
		["external_reference_id", "order"],
		["batch_id", "bt_1"],
	]) {
		await expectRefused(`${LIST}?${name}=${value}&${name}=${value}`, name!);
	}
});

test('decision "unknown query parameter": 400, each named', {
	tags: ["query-unknown-parameter"],
}, async () => {
	for (const name of ["__proto__", "constructor", "toString", "pcode", "P_CODE", "p_code[]", "$ne"]) {
		await expectRefused(`${STATUS}?p_code=${pCode}&${encoded(name)}=1`, name);
		await expectRefused(`${LIST}?limit=1&${encoded(name)}=1`, name);
	}
	await expectRefused(`${LIST}?Status=x&order=asc&offset=1`, "Status", "offset", "order");
});

test('decision "unknown status value": 400, naming the allowed ones', async () => {
	for (const value of [
		"",
		"ACTIVE",
		"SIN_UTILIZAR",
		"sin_utilizar ",
		"sin_utilizar,expirado",
		SQL,
		"__proto__",
		"%00",
	]) {
		await expectRefused(`${LIST}?status=${value.startsWith("%") ? value : encoded(value)}`, "status");
	}
	const { body } = await partner.list("?status=nope");
	for (const status of [
		"anulado",
		"emitido",
		"bloqueado",
		"en_proceso",
		"validado",
		"expirado",
		"sin_utilizar",
	]) {
		expect(body.details[0].message).toContain(status);
	}
});

test.for([
	"",
	"0",
	"-1",
	"+1",
	"1.0",
	"1e2",
	"0x1",
	" 1",
	"1 ",
	"٣",
	"３",
	"99999999999",
	"1;--",
	SQL,
	"NaN",
	"Infinity",
	"null",
])('decision "page, limit": %j is 400', async (value) => {
	await expectRefused(`${LIST}?page=${encoded(value)}`, "page");
	await expectRefused(`${LIST}?limit=${encoded(value)}`, "limit");
});

test('decision "page, limit": at most 500, and a page beyond the last is empty', {
	tags: ["list-limit-maximum"],
}, async () => {
	await expectRefused(`${LIST}?limit=501`, "limit");
	for (const page of ["2", "1000000000"]) {
		const { status, body } = await partner.list(`?limit=500&page=${page}`);
		expect([status, body.data.pcodes]).toEqual([200, []]);
		expect(body.data.pagination).toEqual({ total: 1, page: Number(page), limit: 500 });
	}
});

test.for([
	...[
		"",
		"2026",
		"2026-02-31",
		"31-02-2026",
		"2026-13-01",
		"2026-11-21T25:00:00Z",
		"2026-11-21T10:00",
		"yesterday",
	],
	...["2026-11-21T10:00:00+99:99", "1763719200000", "٢٠٢٦-11-21", "2026-11-21\u0000", SQL, "x".repeat(5000)],
])('decision "created_from, created_to": %j is no date, 400', async (value) => {
	await expectRefused(`${LIST}?created_from=${encoded(value)}`, "created_from");
	await expectRefused(`${LIST}?created_to=${encoded(value)}`, "created_to");
});

test('decision "created_from, created_to": from after to is 400', { tags: ["list-from-after-to"] }, () =>
	expectRefused(`${LIST}?created_from=2026-11-22&created_to=2026-11-21`, "created_from"),
);

test("§4.5 SQL in a free filter finds nothing, and another filter of control characters is 400", async () => {
	for (const name of ["external_reference_id", "batch_id"]) {
		for (const value of [SQL, "' OR '1'='1", "%", "_", "*", "__proto__"]) {
			const { status, body } = await partner.list(`?${name}=${encoded(value)}`);
			expect([status, body.data?.pagination.total]).toEqual([200, 0]);
		}
		for (const value of ["", "%00", "%0d%0a", "x".repeat(129)])
			await expectRefused(`${LIST}?${name}=${value}`, name);
	}
	expect(await partner.status(pCode)).toBe("ACTIVE");
});

test("§4.3, §4.5 a very long or very broad query is refused in a small answer", async () => {
	const broad = Array.from({ length: 2000 }, (_, i) => `f${i}=1`).join("&");
	for (const path of [STATUS, LIST]) {
		const answer = await partner.get(`${path}?${broad}`);
		expectBareRefusal(answer, [partner.key]);
		expect(answer.text.length).toBeLessThan(20_000);
	}
});

test("decision 404: a path that no route has, however it is spelled", async () => {
	const paths = [
		"/%",
		"/%zz",
		"/%00",
		"//api/partner/v1/pcodes",
		"/api/partners/v1/status/",
		"/api/partners/v2/status",
	];
	for (const path of [
		...paths,
		"/api/partners/v1/%73tatus%2f",
		"/..%2f..%2fetc/passwd",
		`/${"x".repeat(8000)}`,
	]) {
		const answer = await partner.get(path);
		expectBareRefusal(answer, [partner.key]);
		expect(refusal(answer)).toEqual([404, "NOT_FOUND"]);
	}
	for (const path of ["/partners/%00", "/partners/%ff", `/pcodes/${encoded(SQL)}`, "/pcodes/%F0%9F%82%A1"]) {
		expect(refusal(await ops("GET", path))).toEqual([404, "NOT_FOUND"]);
	}
});
