import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MINUTE_MS, passTime, startClock, stopClock } from "../../support/clock.ts";
import {
	Callers,
	expectBareRefusal,
	MIB,
	namedFields,
	TARGETS,
	withoutWriting,
} from "../../support/hostile.ts";
import { invalid, refusal } from "../../support/refusal.ts";
import { type Answer, call, freshService, JUANA, JUANA_FULL, ops, Partner } from "../../support/service.ts";

describe("bodies", () => {
	let callers: Callers;

	beforeAll(async () => {
		await freshService();
		callers = await Callers.create(1200);
	});

	const NO_JSON = [
		"",
		" ",
		"{",
		"}",
		"{'pin':1}",
		"NaN",
		"undefined",
		"{}{}",
		'{"a":1,}',
		"\u0000",
		"\u001f{}",
		"<a/>",
	];
	const NO_OBJECT = ["null", "true", "1", "1e999", '"text"', "[]", "[{}]", "[[]]"];
	const WRONG_TYPES = [null, 1, -1.5, true, [], ["x"], {}, { x: 1 }];
	const notSent = (value: unknown) => value === null || value === "";
	/** Values of {@link WRONG_TYPES}, and the empty text, that are right after all, by field. */
	const RIGHT_AFTER_ALL: Record<string, (value: unknown) => boolean> = {
		serialNumber: notSent,
		names: notSent,
		fLastname: notSent,
		mLastname: notSent,
		phone: notSent,
		ssoCredential: notSent,
		dniFront: notSent,
		dniBack: notSent,
		partnerCopy: notSent,
		fechaVencimiento: notSent,
		quantity: (value) => value === 1,
		require_cedula_serie: (value) => value === 1,
		validate_vencimiento: (value) => value === 1,
		require_sso: (value) => value === 1,
		allowed_products: (value) => Array.isArray(value) && value.length === 0,
		webhook_url: (value) => value === null,
		delivery_email: (value) => value === null,
	};
	const SQL = ["'; DROP TABLE purchase_codes; --", "1 OR 1=1", '" UNION SELECT hash FROM api_keys --'];
	const UNPRINTABLE = ["\u0000", "\u0007", "\u001b[31m", "\u007f", "\ud800", "\udfff", "\udc00\ud800"];

	/** Arabic-Indic, Devanagari and full-width digits. */
	const LOOK_ALIKES = ["\u0660", "\u0966", "\uff10"].map((zero) =>
		Array.from({ length: 10 }, (_, i) => String.fromCharCode(zero.charCodeAt(0) + i)),
	);

	function inOtherDigits(text: string, digits: readonly string[]): string {
		return text.replaceAll(/[0-9]/g, (digit) => digits[Number(digit)]!);
	}

	function nested(levels: number): string[] {
		const deep = `${"[".repeat(levels)}${"]".repeat(levels)}`;
		const objects = `${'{"a":'.repeat(levels / 5)}1${"}".repeat(levels / 5)}`;
		return [
			deep,
			objects,
			`{"pin":${deep}}`,
			`{"dni":${objects}}`,
			"[".repeat(levels),
			'{"a":['.repeat(levels / 6),
		];
	}

	describe.for(TARGETS)("hostile POST $name", { timeout: 60_000 }, (target) => {
		const names = Object.keys(target.fields).sort();
		const strings = names.filter((name) => typeof target.fields[name] === "string");

		test("§7 400: a body that is no JSON, empty ones included", () =>
			withoutWriting(async () => {
				for (const body of [null, ...NO_JSON]) {
					const answer = await callers.send(target, body);
					expect(refusal(answer)).toEqual([400, "VALIDATION_ERROR", "INVALID_VALUE"]);
				}
				const notUtf8 = new Uint8Array([0x22, 0xff, 0xfe, 0xc0, 0x80]);
				expect((await callers.send(target, notUtf8)).status).toBe(400);
			}));

		test("§7 400: JSON that is no object", () =>
			withoutWriting(async () => {
				for (const body of NO_OBJECT) {
					const answer = await callers.send(target, body);
					expect(refusal(answer)).toEqual([400, "VALIDATION_ERROR", "INVALID_TYPE"]);
				}
			}));

		test("decision 415: any other content type than application/json, or none", { tags: ["error-415"] }, () =>
			withoutWriting(async () => {
				const body = new TextEncoder().encode(JSON.stringify(target.fields));
				const types = ["", "text/plain", "text/json", "application/xml", "application/x-www-form-urlencoded"];
				for (const type of [
					...types,
					"multipart/form-data",
					"application/jsonx",
					"json",
					"*/*",
					";",
					"\u00e9",
				]) {
					const answer = await callers.send(target, body, { "content-type": type });
					expect(refusal(answer)).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
				}
			}),
		);

		test("§4 application/json with a parameter, or in capitals, is JSON", () =>
			withoutWriting(async () => {
				const types = ["application/json; charset=utf-8", "APPLICATION/JSON", "application/json ;v=1"];
				for (const type of [
					...types,
					"application/json;",
					"application/json;;",
					"application/json; charset",
					"application/json\t;v=1",
				]) {
					const answer = await callers.send(target, { unheard_of: 1 }, { "content-type": type });
					expect(namedFields(answer)).toContain("unheard_of");
				}
			}));

		test(
			"decision 413: a body of one byte over the limit, declared or streamed",
			{ tags: ["body-limit"] },
			() =>
				withoutWriting(async () => {
					const over = new Uint8Array(target.limit + 1).fill(0x20);
					const tooLarge = [413, "PAYLOAD_TOO_LARGE"];
					expect(refusal(await callers.send(target, over))).toEqual(tooLarge);
					const declared = { "content-length": String(target.limit + 1) };
					expect(refusal(await callers.send(target, "{}", declared))).toEqual(tooLarge);
					const streamed = new Blob([over]).stream();
					expect(refusal(await callers.send(target, streamed))).toEqual(tooLarge);
					expect((await callers.send(target, over.subarray(1))).status).toBe(400);
					expect((await callers.send(target, new Blob([over.subarray(1)]).stream())).status).toBe(400);
				}),
		);

		test("§7 400 or 413: nesting of any depth", () =>
			withoutWriting(async () => {
				const status = target.limit >= MIB ? 400 : 413;
				for (const body of nested(100_000)) expect((await callers.send(target, body)).status).toBe(status);
				for (const body of nested(5_000)) expect((await callers.send(target, body)).status).toBe(400);
			}));

		test("§7 400: unknown fields are refused, each named, inherited names and __proto__ too", () =>
			withoutWriting(async () => {
				const unknown = ["__proto__", "constructor", "prototype", "toString", "PIN", "x y", "a.b", "$where"];
				const body = { ...target.fields, ...Object.fromEntries(unknown.slice(1).map((name) => [name, {}])) };
				const text = JSON.stringify(body).replace(/^\{/, '{"__proto__":{"mode":"B2B","suspended":false},');
				const answer = await callers.send(target, text);
				const entries = unknown.map((name) => `${name} UNKNOWN_FIELD`).sort();
				expect(refusal(answer).slice(2).sort()).toEqual(entries);
				expect(Object.keys({})).toEqual([]);
			}));

		test("§7 400: a field's name is given in short, and only its visible characters", () =>
			withoutWriting(async () => {
				const hostile = { ...target.fields, "<b>\u0000\u001b[31m\ud800ñ": 1, ["n".repeat(1000)]: 1 };
				const answer = await callers.send(target, hostile);
				const fields = answer.body.details.map(({ field }: { field: string }) => field);
				expect(fields).toEqual(["<b>??[31m??", "n".repeat(64)]);
			}));

		test("§7 400: every field of a wrong type is named", { tags: ["error-400-fields"] }, () =>
			withoutWriting(async () => {
				for (const value of WRONG_TYPES) {
					const wrong = names.filter((name) => !RIGHT_AFTER_ALL[name]?.(value));
					const body = Object.fromEntries(
						names.map((name) => [name, wrong.includes(name) ? value : target.fields[name]]),
					);
					expect(namedFields(await callers.send(target, body))).toEqual(wrong);
				}
			}),
		);

		test("§7 400: control characters and lone surrogates in any string field", () =>
			withoutWriting(async () => {
				for (const garbage of UNPRINTABLE) {
					const body = Object.fromEntries(strings.map((name) => [name, `${target.fields[name]}${garbage}`]));
					expect(namedFields(await callers.send(target, { ...target.fields, ...body }))).toEqual(strings);
				}
			}));

		test("§7 400: empty, blank and very long strings in any string field", () =>
			withoutWriting(async () => {
				const long = target.limit >= MIB ? 100_000 : 2_000;
				for (const text of ["", " ", "   \t ", "x".repeat(long), "🂡".repeat(300)]) {
					const body = Object.fromEntries(strings.map((name) => [name, text]));
					const wrong = strings.filter((name) => !RIGHT_AFTER_ALL[name]?.(text));
					expect(namedFields(await callers.send(target, { ...target.fields, ...body }))).toEqual(wrong);
				}
			}));

		test("§7 400: digits of other scripts are no digits", () =>
			withoutWriting(async () => {
				const numeric = [
					"dni",
					"fechaVencimiento",
					"phone",
					"pin",
					"serialNumber",
					"productCode",
					"key_algorithm",
				];
				const fields = strings.filter((name) => numeric.includes(name));
				for (const digits of LOOK_ALIKES) {
					const body = Object.fromEntries(
						fields.map((name) => [name, inOtherDigits(String(target.fields[name]), digits)]),
					);
					expect(namedFields(await callers.send(target, { ...target.fields, ...body }))).toEqual(fields);
				}
			}));

		test("§7 400: SQL is refused in every field that has a form", () =>
			withoutWriting(async () => {
				const free = ["pCode", "p_code", "referenceId", "names", "fLastname", "mLastname", "name"];
				const fields = strings.filter((name) => !free.includes(name));
				for (const text of SQL) {
					const body = Object.fromEntries(fields.map((name) => [name, text]));
					const refused = namedFields(await callers.send(target, { ...target.fields, ...body }));
					expect(refused).toEqual(fields);
				}
			}));
	});
});

describe("values", () => {
	let partner: Partner;

	beforeAll(async () => {
		await freshService();
		stopClock();
		partner = await Partner.create();
	});
	afterAll(startClock);

	const SQL = "'; DROP TABLE purchase_codes; --";

	/** A request of its own minute, so that the emission rate never meets it. */
	function request(
		body: Record<string, unknown> | string,
		headers: Record<string, string> = {},
	): Promise<Answer> {
		passTime(MINUTE_MS);
		return partner.post("/api/partners/v1/certificate_request", body, headers);
	}

	test.for([
		["pin", 9137, "INVALID_TYPE"],
		["pin", 91.37, "INVALID_TYPE"],
		["pin", "9137\n", "INVALID_VALUE"],
		["pin", "+9137", "INVALID_VALUE"],
		["dni", 111111111, "INVALID_TYPE"],
		["dni", "11111111-0", "INVALID_VALUE"],
		["dni", "11111111-K", "INVALID_VALUE"],
		["dni", "-11111111-1", "INVALID_VALUE"],
		["dni", "0-0", "INVALID_VALUE"],
		["dni", "1.1111.111-1", "INVALID_VALUE"],
		["dni", "11111111-1\n", "INVALID_VALUE"],
		["dni", "11111111\u20101", "INVALID_VALUE"],
		["dni", "999999999999-9", "INVALID_VALUE"],
		["fechaVencimiento", "31-02-2031", "INVALID_VALUE"],
		["fechaVencimiento", 20310520, "INVALID_TYPE"],
		["email", "juana@example.cl\nBcc: all@example.cl", "INVALID_VALUE"],
		["email", "juana@example.cl, pedro@example.cl", "INVALID_VALUE"],
		["email", "<juana@example.cl>", "INVALID_VALUE"],
		["email", `${"j".repeat(250)}@example.cl`, "INVALID_VALUE"],
		["partnerCopy", "copia@example.cl\r\nX: 1", "INVALID_VALUE"],
		["referenceId", "r".repeat(129), "INVALID_VALUE"],
		["referenceId", "order\u2028-1", "INVALID_VALUE"],
		["serialNumber", "1".repeat(33), "INVALID_VALUE"],
		["ssoCredential", "x".repeat(8001), "INVALID_VALUE"],
		["ssoCredential", "a\r\nb", "INVALID_VALUE"],
		["pCode", "7".repeat(65), "INVALID_VALUE"],
	] as const)("§7 certificate_request 400: %s as %j", ([field, value, code]) =>
		withoutWriting(async () => {
			const answer = await request({ pCode: "7K3M-9QXT-2B4C-H8WD", ...JUANA, [field]: value });
			expectBareRefusal(answer, [partner.key, JUANA.pin, "9137", "91.37"]);
			expect(refusal(answer)).toEqual(invalid(`${field} ${code}`));
		}),
	);

	test.for([
		...["0", "-0", "501", "-1", "1.5", "1e308", "1e999", "-1e999", "9007199254740993", "1e-5", '"1"', '"٣"'],
		...["[1]", "null", "true", "{}", '"1; DROP TABLE batches"'],
	])("§8 pcode/bulk quantity %s: rejected", (quantity) =>
		withoutWriting(async () => {
			const body = `{"productCode":"FV01","quantity":${quantity}}`;
			const answer = await partner.post("/api/partner/v1/pcode/bulk", body);
			expectBareRefusal(answer, [partner.key]);
			expect(answer.body.details[0].field).toBe("quantity");
		}),
	);

	test.for(["fv01", "FV04", "FV01 ", "FV0", "", "__proto__", "constructor", "toString", SQL])(
		"§4.4 pcode/bulk productCode %j: rejected",
		(productCode) =>
			withoutWriting(async () => {
				const answer = await partner.bulk(1, productCode);
				expectBareRefusal(answer, [partner.key]);
				expect(answer.body.details[0].field).toBe("productCode");
			}),
	);

	test.for([
		["webhook_url", "javascript:alert(1)"],
		["webhook_url", "ftp://partner.example"],
		["webhook_url", "http://partner.example"],
		["webhook_url", "https://user:secret@partner.example"],
		["webhook_url", "//partner.example"],
		["webhook_url", " https://partner.example/hook"],
		["webhook_url", "https://partner.example/\r\nhook"],
		["webhook_url", `https://partner.example/${"x".repeat(2048)}`],
		["mode", "b2b"],
		["mode", "__proto__"],
		["require_cedula_serie", "1"],
		["require_cedula_serie", true],
		["allowed_products", ["FV01", "FV01"]],
		["allowed_products", "FV01"],
		["name", "n".repeat(101)],
	] as const)("§7 ops partners 400: %s as %j", ([field, value]) =>
		withoutWriting(async () => {
			const answer = await ops("POST", "/partners", { name: "Hostile", [field]: value });
			expectBareRefusal(answer, [env.OPS_TOKEN ?? "", "secret"]);
			expect(answer.body.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
		}),
	);

	test("SQL in a free text is data: stored, answered and found as it was sent", async () => {
		const named = await ops("POST", "/partners", { name: SQL });
		expect([named.status, named.body.data.partner.name]).toEqual([201, SQL]);
		const pCode = await partner.code();
		const { body } = await request({ pCode, ...JUANA, referenceId: SQL });
		expect(body.data.referenceId).toBe(SQL);
		const found = await partner.list(`?external_reference_id=${encodeURIComponent(SQL)}`);
		expect(found.body.data.pcodes.map(({ pcode }: { pcode: string }) => pcode)).toEqual([pCode]);
		expect(await partner.status(pCode)).toBe("VALIDATED");
	});

	test("SQL as purchase code is a code that does not exist, SQL as a name another name", async () => {
		expect(refusal(await request({ ...JUANA, pCode: SQL }))).toEqual([404, "NOT_FOUND"]);
		expect(refusal(await partner.claim(SQL))).toEqual([404, "NOT_FOUND"]);
		expect(await partner.status(SQL)).toBe("NOT_FOUND");
		const full = await Partner.create({ require_cedula_serie: 0 });
		const answer = await full.request({ ...JUANA_FULL, pCode: await full.code(), names: SQL });
		expect(refusal(answer)).toEqual([406, "VALIDATION_ERROR", "names NAME_MISMATCH"]);
	});

	test("certificate_request: of thousands of unknown fields a hundred are named, and no answer grows with them", {
		tags: ["error-hundred-fields"],
	}, async () => {
		const fields = JSON.stringify({ pCode: "7K3M-9QXT-2B4C-H8WD", ...JUANA }).slice(1);
		const unknown = Array.from({ length: 9_000 }, (_, i) => `"${i.toString(36)}":0`);
		const answer = await request(`{${unknown.join(",")},${fields}`);
		expect(answer.status).toBe(400);
		expect(answer.body.details).toHaveLength(100);
		expect(answer.text.length).toBeLessThan(20_000);
	});

	test("certificate_request: a body in one field, long or deep, is refused in a small answer", {
		timeout: 60_000,
	}, async () => {
		const texts = {
			email: (n: number) => `"${"a.".repeat(n)}@${"b.".repeat(n)}cl"`,
			dni: (n: number) => `"${"1.111".repeat(n)}-1"`,
			names: (n: number) => `${"[".repeat(3 * n)}${"]".repeat(3 * n)}`,
		};
		const send = async (field: string, value: string) => {
			const answer = await request(`{"${field}":${value}}`);
			expectBareRefusal(answer, [partner.key]);
			expect(answer.text.length).toBeLessThan(2_000);
		};
		for (const [field, text] of Object.entries(texts)) await send(field, text(2_000_000));
		for (const text of Object.values(texts))
			for (const field of ["dni", "email", "names", "pCode", "dniFront"]) await send(field, text(100_000));
	});

	test("decision 401: whatever is wrong with the key, one and the same body, no echo", async () => {
		const revoked = await Partner.create();
		const { body } = await ops("GET", `/partners/${revoked.id}`);
		await ops("DELETE", `/partners/${revoked.id}/keys/${body.data.keys[0].id}`);
		const wrong = [
			...[
				revoked.key,
				partner.key.toLowerCase(),
				`${partner.key}0`,
				partner.key.slice(0, -1),
				"gw_dev_",
				"' OR 1=1 --",
			],
			...[
				partner.key.replace("gw_dev_", "gw_prod_"),
				"x".repeat(4000),
				"\u00ff\u00fe",
				`${partner.key}, ${partner.key}`,
			],
		];
		for (const { path } of TARGETS.slice(0, 3)) {
			const missing = await call("POST", path);
			expect(refusal(missing)).toEqual([401, "UNAUTHORIZED"]);
			for (const key of wrong) {
				const answer = await call("POST", path, {
					headers: { "x-gw": key, "content-type": "application/json" },
					body: "{}",
				});
				expect([answer.status, answer.text]).toEqual([401, missing.text]);
			}
		}
	});

	test("hostile headers: never a 5xx, and a request id that is no sane one is not given back", async () => {
		const hostile: Record<string, string>[] = [
			{ "idempotency-key": "" },
			{ "idempotency-key": "k".repeat(256) },
			{ "idempotency-key": '"a b"' },
			{ "idempotency-key": "\u00ff" },
			{ "accept-language": `${"es;q=0.".repeat(2000)}x` },
			{ "accept-language": "\u00ff;q=NaN" },
			{ "x-request-id": "<script>alert(1)</script>" },
			{ "x-request-id": "r".repeat(5000) },
			{ accept: "text/html" },
			{ "x-forwarded-for": SQL, host: "evil.example" },
		];
		for (const headers of hostile) {
			const answer = await request({ pCode: "not a code" }, headers);
			expectBareRefusal(answer, [partner.key]);
			expect(answer.headers.get("x-request-id")).toMatch(/^[\w=-]{1,255}$/);
		}
	});
});

describe("queries and paths", () => {
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
		...[
			"2026-11-21T10:00:00+99:99",
			"1763719200000",
			"٢٠٢٦-11-21",
			"2026-11-21\u0000",
			SQL,
			"x".repeat(5000),
		],
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
		for (const path of [
			"/partners/%00",
			"/partners/%ff",
			`/pcodes/${encoded(SQL)}`,
			"/pcodes/%F0%9F%82%A1",
		]) {
			expect(refusal(await ops("GET", path))).toEqual([404, "NOT_FOUND"]);
		}
	});
});
