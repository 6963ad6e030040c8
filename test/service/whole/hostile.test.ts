import { beforeAll, describe, expect, test } from "vitest";
import {
	Callers,
	expectBareRefusal,
	MIB,
	namedFields,
	TARGETS,
	type Target,
	withoutWriting,
} from "../../support/hostile.ts";
import { refusal } from "../../support/refusal.ts";
import { byTurns, isLongRun } from "../../support/run-size.ts";
import { freshService, JUANA, JUANA_FULL, ops, Partner } from "../../support/service.ts";

const SQL = "'; DROP TABLE purchase_codes; --";

describe("bodies", () => {
	let callers: Callers;

	beforeAll(async () => {
		await freshService();
		callers = await Callers.create(isLongRun ? 410 : 160);
	}, 60_000);

	const NO_JSON = [null, "", " ", "{", "}", "{'pin':1}", "NaN", "undefined", "{}{}", '{"a":1,}', "<a/>"];
	const NO_TEXT = ["\u0000", "\u001f{}"];
	/** `{"x":"ñ"}` in Latin-1, in UTF-16, cut short, and a surrogate written as UTF-8. */
	const NO_UTF8 = [[0xf1], [0xff, 0xfe, 0xf1, 0x00], [0xc3], [0xed, 0xa0, 0x80]].map((bytes) =>
		Uint8Array.from([...new TextEncoder().encode('{"x":"'), ...bytes, 0x22, 0x7d]),
	);
	const NO_OBJECT = ["null", "true", "1", "1e999", '"text"', "[]", "[{}]", "[[]]"];
	const REFUSED_TYPES = [
		"",
		"text/plain",
		"text/json",
		"application/xml",
		"application/x-www-form-urlencoded",
	];
	const MORE_REFUSED_TYPES = ["multipart/form-data", "application/jsonx", "json", "*/*", ";", "\u00e9"];
	const OTHER_CHARSETS = [
		"iso-8859-1",
		"Latin1",
		'"windows-1252"',
		"utf-16",
		"utf-8x",
		"utf-8; charset=utf-16",
	];
	const JSON_TYPES = ["; charset=utf-8", '; Charset="UTF-8"', ";charset=us-ascii"];
	const MORE_JSON_TYPES = [" ;v=1", ";", ";;", "; charset", "; charset=", "\t;v=1"];
	const WRONG_TYPES = [null, 1, -1.5, true, [], ["x"], {}, { x: 1 }];
	const each = <T>(names: string[], value: T) => Object.fromEntries(names.map((name) => [name, value]));
	const notSent = (value: unknown) => value === null || value === "";
	/** Values of {@link WRONG_TYPES}, and the empty text, that are right after all, by field. */
	const RIGHT_AFTER_ALL: Record<string, (value: unknown) => boolean> = {
		...each(["pCode", "p_code"], (value) => typeof value === "string" && value !== ""),
		...each(["serialNumber", "names", "fLastname", "mLastname", "phone", "ssoCredential"], notSent),
		...each(["dniFront", "dniBack", "partnerCopy", "fechaVencimiento"], notSent),
		...each(["quantity", "require_cedula_serie", "validate_vencimiento"], (value) => value === 1),
		...each(["require_sso", "require_serial_with_sso"], (value) => value === 1),
		...each(["webhook_url", "delivery_email"], (value) => value === null),
		max_codes_14_days: (value) => Number.isInteger(value) && Number(value) >= 0,
		allowed_products: (value) => Array.isArray(value) && value.length === 0,
	};

	const all = ({ fields }: Target) => Object.keys(fields).sort();
	const strings = (target: Target) => all(target).filter((name) => typeof target.fields[name] === "string");
	const numeric = (target: Target) =>
		strings(target).filter((name) =>
			/^(dni|fechaVencimiento|phone|pin|serialNumber|productCode|key_algorithm)$/.test(name),
		);
	const formed = (target: Target) =>
		strings(target).filter((name) => !/^(p_?code|referenceId|names|[fm]Lastname|name)$/i.test(name));
	const inDigitsFrom = (zero: number) => (text: unknown) =>
		String(text).replaceAll(/[0-9]/g, (digit) => String.fromCharCode(zero + Number(digit)));

	/** Hostile values for every such field at once, made from an accepted value. */
	const HOSTILE_VALUES: [
		what: string,
		fields: (target: Target) => string[],
		values: (target: Target) => ((accepted: unknown) => unknown)[],
	][] = [
		["every field of a wrong type", all, () => WRONG_TYPES.map((value) => () => value)],
		[
			"control characters and lone surrogates in any string field",
			strings,
			() =>
				["\u0000", "\u0007", "\u001b[31m", "\u007f", "\ud800", "\udfff", "\udc00\ud800"].map(
					(garbage) => (text) => text + garbage,
				),
		],
		[
			"empty, blank and very long strings in any string field",
			strings,
			({ limit }) =>
				["", " ", "   \t ", "x".repeat(limit >= MIB ? 100_000 : 2_000), "🂡".repeat(300)].map(
					(text) => () => text,
				),
		],
		// Arabic-Indic, Devanagari, full-width.
		["digits of other scripts are no digits", numeric, () => [0x660, 0x966, 0xff10].map(inDigitsFrom)],
		[
			"SQL in every field that has a form",
			formed,
			() => [SQL, "1 OR 1=1", '" UNION SELECT hash FROM api_keys --'].map((text) => () => text),
		],
	];

	describe.for(TARGETS)("hostile POST $name", { timeout: 60_000 }, (target) => {
		const turn = TARGETS.indexOf(target);
		const ofItsTurn = <T>(hostile: readonly T[]) => byTurns(hostile, TARGETS.length, turn);
		test.for([
			["no JSON, an empty one included", "INVALID_VALUE", [...NO_JSON, ...NO_TEXT]],
			["JSON and no object", "INVALID_TYPE", NO_OBJECT],
			["not in UTF-8", "INVALID_ENCODING", NO_UTF8],
		] as const)("§7 400: a body that is %s", { tags: ["error-encoding"] }, ([, code, hostile]) =>
			withoutWriting(async () => {
				for (const body of ofItsTurn<BodyInit | null>(hostile))
					expect(refusal(await callers.send(target, body))).toEqual([400, "VALIDATION_ERROR", code]);
			}),
		);

		test(
			"decision 415: any other content type than application/json, none, or a charset that is not UTF-8; other parameters and capitals make no other",
			{ tags: ["error-415", "body-json"] },
			() =>
				withoutWriting(async () => {
					const charsets = OTHER_CHARSETS.map((charset) => `application/json; charset=${charset}`);
					for (const type of ofItsTurn([...REFUSED_TYPES, ...MORE_REFUSED_TYPES, ...charsets])) {
						const answer = await callers.send(target, target.fields, { "content-type": type });
						expect(refusal(answer)).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
					}
					for (const rest of ofItsTurn(["", ...JSON_TYPES, ...MORE_JSON_TYPES])) {
						const type = `Application/JSON${rest}`;
						const answer = await callers.send(target, { unheard_of: 1 }, { "content-type": type });
						expect(namedFields(answer)).toContain("unheard_of");
					}
				}),
		);

		test(
			"decision 413: a body of one byte over the limit, declared or streamed",
			{ tags: ["body-limit"] },
			() =>
				withoutWriting(async () => {
					const over = new Uint8Array(target.limit + 1).fill(0x20);
					const fits = over.subarray(1);
					const declared = { "content-length": String(target.limit + 1) };
					const tooLarge: [BodyInit, HeadersInit?][] = [
						[over],
						["{}", declared],
						[new Blob([over]).stream()],
					];
					for (const [body, headers] of byTurns(tooLarge, 3, turn))
						expect(refusal(await callers.send(target, body, headers))).toEqual([413, "PAYLOAD_TOO_LARGE"]);
					for (const body of byTurns<BodyInit>([fits, new Blob([fits]).stream()], 2, turn))
						expect((await callers.send(target, body)).status).toBe(400);
				}),
		);

		test("§7 400: unknown fields are refused, each named, inherited names and __proto__ too", () =>
			withoutWriting(async () => {
				const unknown = ["__proto__", "constructor", "prototype", "toString", "PIN", "x y", "a.b", "$where"];
				const body = { ...target.fields, ...Object.fromEntries(unknown.slice(1).map((name) => [name, {}])) };
				const polluted = '"mode":"B2B","suspended":false';
				const text = JSON.stringify(body)
					.replace(/^\{/, `{"__proto__":{${polluted}},`)
					.replace('"constructor":{}', `"constructor":{"prototype":{${polluted}}}`);
				const answer = await callers.send(target, text);
				const entries = unknown.map((name) => `${name} UNKNOWN_FIELD`).sort();
				expect(refusal(answer).slice(2).sort()).toEqual(entries);
				expect(Object.keys(Object.prototype)).toEqual([]);
			}));

		test("§7 400: a field's name is given in short, and only its visible characters", () =>
			withoutWriting(async () => {
				const hostile = { ...target.fields, "<b>\u0000\u001b[31m\ud800ñ": 1, ["n".repeat(1000)]: 1 };
				const answer = await callers.send(target, hostile);
				const fields = answer.body.details.map(({ field }: { field: string }) => field);
				expect(fields).toEqual(["<b>??[31m??", "n".repeat(64)]);
			}));

		test.for(HOSTILE_VALUES)(
			"§7 400 names each field: %s",
			{ tags: ["error-400-fields", "claim-field-format"] },
			([, fieldsOf, valuesOf]) =>
				withoutWriting(async () => {
					for (const valueFrom of byTurns(valuesOf(target), 2, turn)) {
						const hostile = fieldsOf(target).map((name) => [name, valueFrom(target.fields[name])] as const);
						const wrong = hostile.filter(([name, value]) => !RIGHT_AFTER_ALL[name]?.(value));
						const answer = await callers.send(target, { ...target.fields, ...Object.fromEntries(wrong) });
						expect(namedFields(answer)).toEqual(wrong.map(([name]) => name));
					}
				}),
		);
	});
});

describe("values", () => {
	let partner: Partner;

	beforeAll(async () => {
		await freshService();
		partner = await Partner.create();
	});

	test("SQL in a free text is data: stored, answered and found as it was sent; as a code or a name it is another", async () => {
		const named = await ops("POST", "/partners", { name: SQL });
		expect([named.status, named.body.data.partner.name]).toEqual([201, SQL]);
		const pCode = await partner.code();
		const { body } = await partner.request({ pCode, ...JUANA, referenceId: SQL });
		expect(body.data.referenceId).toBe(SQL);
		const found = await partner.list(`?external_reference_id=${encodeURIComponent(SQL)}`);
		expect(found.body.data.pcodes.map(({ pcode }: { pcode: string }) => pcode)).toEqual([pCode]);
		for (const name of ["external_reference_id", "batch_id"])
			for (const value of ["' OR '1'='1", "%", "_", "*", "__proto__"])
				expect((await partner.list(`?${name}=${encodeURIComponent(value)}`)).body.data.pcodes).toEqual([]);
		expect(await partner.status(pCode)).toBe("VALIDATED");

		expect(refusal(await partner.request({ ...JUANA, pCode: SQL }))).toEqual([404, "NOT_FOUND"]);
		expect(refusal(await partner.claim(SQL))).toEqual([404, "NOT_FOUND"]);
		for (const path of [
			"/partners/%00",
			"/partners/%ff",
			"/pcodes/%F0%9F%82%A1",
			`/pcodes/${encodeURI(SQL)}`,
		])
			expect(refusal(await ops("GET", path))).toEqual([404, "NOT_FOUND"]);
		const full = await Partner.create({ require_cedula_serie: 0 });
		const answer = await full.request({ ...JUANA_FULL, pCode: await full.code(), names: SQL });
		expect(refusal(answer)).toEqual([406, "VALIDATION_ERROR", "names NAME_MISMATCH"]);
	});

	test("a hundred of thousands of unknown fields or parameters are named, and no answer grows with them", {
		tags: ["error-hundred-fields"],
	}, async () => {
		const fields = JSON.stringify({ pCode: "7K3M-9QXT-2B4C-H8WD", ...JUANA }).slice(1);
		const unknown = Array.from({ length: 9_000 }, (_, i) => `"${i.toString(36)}":0`);
		const broad = Array.from({ length: 2_000 }, (_, i) => `f${i}=1`).join("&");
		for (const answer of [
			await partner.post("/api/partners/v1/certificate_request", `{${unknown.join(",")},${fields}`),
			await partner.get(`/api/partners/v1/status?${broad}`),
			await partner.list(`?${broad}`),
		]) {
			expectBareRefusal(answer, [partner.key]);
			expect(answer.body.details).toHaveLength(100);
			expect(answer.text.length).toBeLessThan(20_000);
		}
	});
});
