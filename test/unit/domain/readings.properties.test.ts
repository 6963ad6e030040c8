import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	CODE_BYTES,
	encodeCrockford,
	formatCode,
	normaliseCrockford,
	parseCode,
} from "../../../src/domain/code-form.ts";
import { readCalendarDate, readInstant } from "../../../src/domain/dates.ts";
import { readRut } from "../../../src/domain/rut.ts";
import { anyText, bent, holds } from "../../support/holds.ts";

const number = fc.integer({ min: 1, max: 99_999_999 });
const CHECK_DIGITS = "0123456789K";

/** The well-known short form of modulo 11, which adds from the right with weights 9 down to 4. */
function checkDigitOf(rut: number): string {
	let sum = 1;
	for (let rest = rut, i = 0; rest > 0; rest = Math.floor(rest / 10), i++)
		sum = (sum + (rest % 10) * (9 - (i % 6))) % 11;
	return sum === 0 ? "K" : String(sum - 1);
}

describe('decision "dni": shape and mod-11 check digit', () => {
	test("every number with its digit is read, with dots, zeros and a small k too, as the one canonical form", () =>
		holds([number, fc.nat(6)], (rut, zeros) => {
			const digit = checkDigitOf(rut);
			const dotted = rut.toLocaleString("de-DE");
			for (const digits of [String(rut), dotted, "0".repeat(zeros) + rut])
				for (const check of [digit, digit.toLowerCase()])
					expect(readRut(`${digits}-${check}`)).toEqual({ ok: true, rut: `${rut}-${digit}` });
		}));

	test("every other digit is refused", () =>
		holds([number], (rut) => {
			for (const digit of CHECK_DIGITS.replace(checkDigitOf(rut), ""))
				expect(readRut(`${rut}-${digit}`)).toEqual({ ok: false, problem: "check_digit" });
		}));

	test("one wrong digit, or two neighbours exchanged, are told from the right one", () =>
		holds([number, fc.nat(7), fc.integer({ min: 1, max: 9 })], (rut, place, by) => {
			const digits = [...String(rut)];
			const at = place % digits.length;
			const digit = checkDigitOf(rut);
			const wrong = digits.with(at, String((Number(digits[at]) + by) % 10)).join("");
			if (Number(wrong) > 0) expect(readRut(`${wrong}-${digit}`).ok).toBe(false);
			const next = digits[at + 1];
			if (next === undefined || next === digits[at]) return;
			const exchanged = digits.with(at, next).with(at + 1, digits[at]!);
			expect(readRut(`${exchanged.join("")}-${digit}`).ok).toBe(false);
		}));

	test("digits of no other script are digits", () =>
		holds([number, fc.constantFrom("\u0660", "\u06f0", "\u0966", "\uff10", "\u{1d7ce}")], (rut, zero) => {
			const foreign = String(rut).replaceAll(/\d/g, (digit) =>
				String.fromCodePoint(zero.codePointAt(0)! + Number(digit)),
			);
			expect(readRut(`${foreign}-${checkDigitOf(rut)}`)).toEqual({ ok: false, problem: "shape" });
		}));

	test("whatever the text: no exception, and what is read is canonical and reads as itself", () =>
		holds(
			[
				fc.oneof(
					anyText,
					number.chain((rut) => bent(`${rut}-${checkDigitOf(rut)}`)),
				),
			],
			(text) => {
				const reading = readRut(text);
				if (!reading.ok) return;
				expect(reading.rut).toMatch(/^[1-9][0-9]{0,7}-[0-9K]$/);
				expect(reading.rut.at(-1)).toBe(checkDigitOf(Number(reading.rut.split("-")[0])));
				expect(readRut(reading.rut)).toEqual(reading);
			},
		));
});

const year = fc.integer({ min: 1890, max: 2210 });
const part = fc.integer({ min: 0, max: 33 });
const pad = (value: number, width = 2) => String(value).padStart(width, "0");

/** Checks the lengths of months, without `Date`. */
function exists(y: number, m: number, d: number): boolean {
	const leap = y % 4 === 0 && (y % 100 !== 0 || y % 400 === 0);
	const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
	return y >= 1900 && y <= 2199 && d >= 1 && d <= (lengths[m - 1] ?? 0);
}

describe('decision "fechaVencimiento": a real calendar date in one of the three forms, day first', () => {
	test("every form of every triple: read when the day exists, null when it does not", () =>
		holds([year, part, part], (y, m, d) => {
			const iso = `${pad(y, 4)}-${pad(m)}-${pad(d)}`;
			const expected = exists(y, m, d) ? iso : null;
			expect(readCalendarDate(iso)).toBe(expected);
			expect(readCalendarDate(`${pad(d)}-${pad(m)}-${pad(y, 4)}`)).toBe(expected);
			expect(readCalendarDate(`${pad(d)}/${pad(m)}/${pad(y, 4)}`)).toBe(expected);
		}));

	test("29 February exists in leap years only", () =>
		holds([year], (y) => {
			const inRange = y >= 1900 && y <= 2199;
			const leap = new Date(Date.UTC(y, 1, 29)).getUTCMonth() === 1;
			expect(readCalendarDate(`29-02-${pad(y, 4)}`) !== null).toBe(inRange && leap);
		}));

	test("whatever the text: no exception, null or a day that exists", () =>
		holds([fc.oneof(anyText, bent("2031-05-20"), bent("20/05/2031"))], (text) => {
			const date = readCalendarDate(text);
			if (date === null) return;
			const [y, m, d] = date.split("-").map(Number) as [number, number, number];
			expect([date, exists(y, m, d)]).toEqual([expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/), true]);
		}));
});

describe('decision "created_from, created_to": a date, or an RFC 3339 timestamp, UTC without an offset', () => {
	const time = fc.integer({ min: Date.UTC(1900, 0, 2), max: Date.UTC(2199, 11, 30) });
	const offset = fc.tuple(fc.constantFrom("+", "-"), fc.nat(23), fc.nat(59));

	test("a timestamp means the instant that its parts make", () =>
		holds([time, fc.option(offset, { nil: null }), fc.constantFrom("T", "t", " ")], (at, shift, between) => {
			const sign = shift?.[0] === "-" ? -1 : 1;
			const minutes = shift ? sign * (shift[1] * 60 + shift[2]) : 0;
			const local = new Date(at + minutes * 60_000).toISOString().slice(0, -1).replace("T", between);
			const text = shift ? `${local}${shift[0]}${pad(shift[1])}:${pad(shift[2])}` : local;
			expect([text, readInstant(text)]).toEqual([text, { first: at, last: at }]);
			if (!shift) expect(readInstant(`${text}Z`)).toEqual({ first: at, last: at });
		}));

	test("a bare date is its whole day", () =>
		holds([time], (at) => {
			const day = new Date(at).toISOString().slice(0, 10);
			const first = Date.parse(`${day}T00:00:00Z`);
			expect(readInstant(day)).toEqual({ first, last: first + 86_399_999 });
		}));

	test("whatever the text: no exception, null or a range that does not end before it starts", () =>
		holds([fc.oneof(anyText, bent("2026-11-21T10:00:00.123+03:00"), bent("2026-11-21"))], (text) => {
			const range = readInstant(text);
			if (range === null) return;
			expect([Number.isSafeInteger(range.first), Number.isSafeInteger(range.last)]).toEqual([true, true]);
			expect(range.last).toBeGreaterThanOrEqual(range.first);
		}));
});

describe('decision "form": 16 symbols of Crockford base32', () => {
	const random = fc.uint8Array({ minLength: CODE_BYTES, maxLength: CODE_BYTES });
	const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

	test("a code holds its eighty bits, and reads as itself", { tags: ["code-form"] }, () =>
		holds([random], (octets) => {
			const code = formatCode(octets);
			expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
			const value = [...code.replaceAll("-", "")].reduce(
				(sum, symbol) => sum * 32n + BigInt(ALPHABET.indexOf(symbol)),
				0n,
			);
			expect(value.toString(16).padStart(2 * CODE_BYTES, "0")).toBe(octets.toHex());
			expect(parseCode(code)).toBe(code);
		}),
	);

	test("case, hyphens and spaces do not matter, O is 0, I and L are 1", () =>
		holds(
			[random, fc.array(fc.nat(2), { minLength: 16, maxLength: 16 }), fc.constantFrom("", "-", " ", " - ")],
			(octets, ways, between) => {
				const code = formatCode(octets);
				const typed = [...code.replaceAll("-", "")].map((symbol, i) => {
					const alike = { "0": ["0", "O", "o"], "1": ["1", "I", "l"] }[symbol] ?? [
						symbol,
						symbol.toLowerCase(),
						symbol,
					];
					return alike[ways[i]!]!;
				});
				expect(parseCode(typed.join(between))).toBe(code);
			},
		));

	test("whatever the text: no exception, null or a canonical code that reads as itself", () =>
		holds([fc.oneof(anyText, bent("7K3M-9QXT-2B4C-H8WD"))], (text) => {
			const code = parseCode(text);
			if (code !== null) expect([parseCode(code), code.length]).toEqual([code, 19]);
			const symbols = normaliseCrockford(text);
			if (symbols !== null) expect([...symbols].every((symbol) => ALPHABET.includes(symbol))).toBe(true);
		}));

	test("octets of any number take as many symbols as their bits need", () =>
		holds([fc.uint8Array({ maxLength: 40 })], (octets) => {
			expect(encodeCrockford(octets)).toHaveLength(Math.ceil((octets.length * 8) / 5));
		}));
});
