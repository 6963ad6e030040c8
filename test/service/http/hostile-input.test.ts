import { beforeAll, describe, expect, test } from "vitest";
import { Callers, MIB, namedFields, TARGETS, withoutWriting } from "../../support/hostile.ts";
import { refusal } from "../../support/refusal.ts";
import { freshService } from "../../support/service.ts";

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
/** Values of {@link WRONG_TYPES} that are right after all, by field. */
const RIGHT_AFTER_ALL: Record<string, (value: unknown) => boolean> = {
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
		"decision 413: a body of one octet over the limit, declared or streamed",
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

	test("§7 400: a field's name is told in short, and only its visible characters", () =>
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
				expect(namedFields(await callers.send(target, { ...target.fields, ...body }))).toEqual(strings);
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
