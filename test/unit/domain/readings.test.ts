import { describe, expect, test } from "vitest";
import { readSerial } from "../../../src/domain/certificate-serial.ts";
import {
	encodeCrockford,
	normaliseCrockford,
	parseCode,
	parseCodePrefix,
} from "../../../src/domain/code-form.ts";
import { readCalendarDate, readInstant } from "../../../src/domain/dates.ts";
import { isEmail, isPersonName, normalisePhone, PIN } from "../../../src/domain/holder-fields.ts";
import { maskRut, readRut } from "../../../src/domain/rut.ts";

describe('decision "dni": shape and mod-11 check digit, stored as 12345678-5', { tags: ["dni-form"] }, () => {
	test.each([
		["123456785", "12345678-5"],
		["12.345.6785", "12345678-5"],
		["010000013k", "10000013-K"],
		["05.126.663-3", "5126663-3"],
		["1-9", "1-9"],
	])("reads %s as %s", (written, rut) => {
		expect(readRut(written)).toEqual({ ok: true, rut });
	});

	test.each([
		["12345678-5", "XX.XXX.678-5"],
		["5126663-3", "X.XXX.663-3"],
		["10000013-K", "XX.XXX.013-K"],
		["1-9", "1-9"],
	])("masks %s as %s", (rut, masked) => expect(maskRut(rut)).toBe(masked));

	test("refuses one without its check digit, whose last digit is taken for it", () => {
		expect(readRut("12345678")).toEqual({ ok: false, problem: "check_digit" });
	});

	test.each([
		["nothing", ""],
		["no hyphen, and dots in the wrong places", "12.3456785"],
		["no hyphen, and ten digits", "1234567892"],
		["no check digit", "12345678-"],
		["no digits", "-5"],
		["only zeros", "00000000-0"],
		["two check digits", "12345678-55"],
		["a letter that is no check digit", "12345678-J"],
		["a space before", " 12345678-5"],
		["a space after", "12345678-5 "],
		["a line end after", "12345678-5\n"],
		["a space inside", "12 345 678-5"],
		["dots in the wrong places", "1.2345.678-5"],
		["some dots missing", "12.345678-5"],
		["a dot before the hyphen", "12.345.678.-5"],
		["commas for dots", "12,345,678-5"],
		["nine digits", "123456789-2"],
		["a minus sign", "-12345678-5"],
		["an en dash", "12345678\u20135"],
		["a non-breaking hyphen", "12345678\u20115"],
		["a Kelvin sign for K", "10000013-\u212a"],
		["a Cyrillic ka for K", "10000013-\u041a"],
		["O for 0", "1OOOOO13-K"],
	])("refuses %s for its shape", (_what, written) => {
		expect(readRut(written)).toEqual({ ok: false, problem: "shape" });
	});
});

describe('decision "fechaVencimiento": a real calendar date in one of the three forms, day first', () => {
	test.each([
		["31-12-2199", "2199-12-31"],
		["1900-01-01", "1900-01-01"],
	])("§4.1 reads %s as %s", (written, date) => {
		expect(readCalendarDate(written)).toBe(date);
	});

	test.each([
		["mixed separators", "20-05/2031"],
		["dots", "20.05.2031"],
		["year first with slashes", "2031/05/20"],
		["one-digit parts", "5-5-2031"],
		["a two-digit year", "20-05-31"],
		["a time after it", "2031-05-20T00:00:00Z"],
		["a space after it", "2031-05-20 "],
		["a line end after it", "2031-05-20\n"],
		["a year before 1900", "1899-12-31"],
		["a year after 2199", "2200-01-01"],
		["a digit before the year", "12031-05-20"],
		["a digit before the day", "120-05-2031"],
		["a digit after the year", "20-05-20311"],
		["no separators", "20052031"],
		["nothing", ""],
	])("refuses %s", (_what, written) => {
		expect(readCalendarDate(written)).toBeNull();
	});
});

describe("§4.5 created_from, created_to: a UTC date or a full timestamp", () => {
	const at = (text: string) => Date.parse(text);

	test.each([
		["2026-11-21T09:30:00", "2026-11-21T09:30:00.000Z"],
		["2026-11-21 09:30:00Z", "2026-11-21T09:30:00.000Z"],
		["2026-11-21T09:30:00.5Z", "2026-11-21T09:30:00.500Z"],
		["2026-11-21T09:30:00.123456789Z", "2026-11-21T09:30:00.123Z"],
		["2026-12-31T23:59:59-03:00", "2027-01-01T02:59:59.000Z"],
		["2026-11-21T09:30Z", "2026-11-21T09:30:00.000Z"],
		["2026-11-21 09:30", "2026-11-21T09:30:00.000Z"],
		["2026-11-21T09:30+0530", "2026-11-21T04:00:00.000Z"],
		["2026-11-21T09:30:00+0000", "2026-11-21T09:30:00.000Z"],
		["2026-11-21T09:30:00 05:30", "2026-11-21T04:00:00.000Z"],
		["2026-11-21T09:30:00.5 0000", "2026-11-21T09:30:00.500Z"],
	])(
		'decision "created_from": %s means %s, without an offset UTC',
		{ tags: ["list-date-forms"] },
		(written, instant) => {
			expect(readInstant(written)).toEqual({ first: at(instant), last: at(instant) });
		},
	);

	test.each([
		"2026-02-30",
		"2026-02-30T10:00:00Z",
		"12026-11-21",
		"12026-11-21T10:00:00Z",
		"2026-11-21T24:00:00Z",
		"2026-11-21T10:60:00Z",
		"2026-11-21T10:00:61Z",
		"2026-11-21T10Z",
		"2026-11-21T10:00.5Z",
		"2026-11-21T",
		"2026-11-21T10:00:00+03",
		"2026-11-21T10:00:00  03:00",
		"2026-11-21T10:00:00*03:00",
		"2026-11-21T10:00:00+99:00",
		"2026-11-21T10:00:00.Z",
		"21-11-2026",
		"20261121",
		"2026-11",
		"1795219200000",
		"yesterday",
		"",
	])("refuses %j", (written) => {
		expect(readInstant(written)).toBeNull();
	});
});

test.each([
	["+56912345678", "+56912345678"],
	["+56 9 1234 5678", "+56912345678"],
	["+56 (9) 1234-5678", "+56912345678"],
	["+56.9.1234.5678", "+56912345678"],
	["912345678", null],
	["+0912345678", null],
	["+56/912345678", null],
	["+56912345678 ext. 2", null],
])(
	'decision "normalised": the phone %j is %j, without blanks, hyphens, dots and parentheses',
	{ tags: ["request-normalised", "phone-format"] },
	(written, phone) => {
		expect(normalisePhone(written)).toBe(phone);
	},
);

describe('decision "form": 16 symbols of Crockford base32 from 80 random bits, in fours', () => {
	test.each([
		["nothing", ""],
		["only hyphens", "----"],
		["fifteen symbols", "7K3M-9QXT-2B4C-H8W"],
		["seventeen symbols", "7K3M-9QXT-2B4C-H8WD0"],
		["a U, which the alphabet leaves out", "UK3M-9QXT-2B4C-H8WD"],
		["a u", "uk3m-9qxt-2b4c-h8wd"],
		["a foreign sign", "7K3M-9QXT-2B4C-H8W*"],
		["a percent sign", "7K3M-9QXT-2B4C-H8W%"],
		["an underscore", "7K3M_9QXT_2B4C_H8WD"],
		["a tab between", "7K3M\t9QXT\t2B4C\tH8WD"],
		["a line end", "7K3M-9QXT-2B4C-H8WD\n"],
		["an accented letter", "7K3M-9QXT-2B4C-H8WÐ"],
		["a dotless i, which upper-cases to I", "7K3M-9QXT-2B4C-H8Wı"],
		["a sharp s, which upper-cases to SS", "7K3M-9QXT-2B4C-H8ß"],
		["an en dash", "7K3M–9QXT–2B4C–H8WD"],
	])("cannot read %s", (_what, typed) => {
		expect(parseCode(typed)).toBeNull();
	});

	test("encoding pads the last symbol with zeros, and normalising keeps length", () => {
		expect(encodeCrockford(Uint8Array.of(0xff))).toBe("ZW");
		expect(encodeCrockford(new Uint8Array(0))).toBe("");
		expect(normaliseCrockford("")).toBe("");
		expect(normaliseCrockford("0-0")).toBeNull();
	});
});

test("a code's beginning is four symbols at least, in fours", () => {
	const beginnings = ["7k3", "7k3m", "7K3M 9-q", "7K3M-9QXT-2B4C-H8WD", "7K3M-9QXT-2B4C-H8WD0", "7K3U"];
	expect(beginnings.map(parseCodePrefix)).toEqual([
		null,
		"7K3M",
		"7K3M-9Q",
		"7K3M-9QXT-2B4C-H8WD",
		null,
		null,
	]);
});

test("a serial has 32 digits, with colons, spaces or in lower case", () => {
	expect(readSerial("4f:0c 6D1E9A3B5C7D8E9F0A1B2C3D4E5F")).toBe("4F0C6D1E9A3B5C7D8E9F0A1B2C3D4E5F");
	for (const text of ["0".repeat(31), "0".repeat(33), `G${"0".repeat(31)}`])
		expect(readSerial(text)).toBeNull();
});

const LABEL = "a".repeat(63);
test.each([
	"juana@example.cl",
	"a+b.c!#$%&'*+/=?^_`{|}~-@x",
	"J9@xn--ab-c.cl",
	`a@${LABEL}.cl`,
	`${"a".repeat(245)}@b.cl.com`,
])("%j is an e-mail address", (text) => expect(isEmail(text)).toBe(true));

test.each([
	...["", "a", "@b.cl", "a@", "a b@c.cl", "a@b.cl ", "a@@b.cl", "ñ@b.cl"],
	...["a@-b.cl", "a@b-.cl", "a@b.-cl", "a@b.cl-", "a@b..cl", "a@b_c.cl", "a@b.c_l"],
	...[`a@${LABEL}a.cl`, `a@b.${LABEL}a`, `${"a".repeat(246)}@b.cl.com`],
])("%j is no e-mail address", (text) => expect(isEmail(text)).toBe(false));

test("a name is printable and has something to read; a PIN has four digits; a phone has seven to fifteen", () => {
	for (const name of ["Juana", " Ñ ", "O'Higgins", "a".repeat(100)])
		expect([name, isPersonName(name)]).toEqual([name, true]);
	const none = ["", " \u2003", "a\n", "\ta", "\ud800", "\ue000b", "a\u2028", "\ufeffa", "a".repeat(101)];
	for (const name of none) expect([name, isPersonName(name)]).toEqual([name, false]);
	expect(["4821", "0000", "482", "48211", "x4821", "48a1"].map((text) => PIN.test(text))).toEqual([
		true,
		true,
		false,
		false,
		false,
		false,
	]);
	expect(
		["+1234567", "+123456", "+123456789012345", "+1234567890123456", "x+1234567"].map(normalisePhone),
	).toEqual(["+1234567", null, "+123456789012345", null, null]);
});
