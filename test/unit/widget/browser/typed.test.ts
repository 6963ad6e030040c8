import { z } from "@hono/zod-openapi";
import { describe, expect, test } from "vitest";
import { EMAIL, isEmail, isPersonName } from "../../../../src/domain/holder-fields.ts";
import {
	calendarDate,
	cardSerial,
	email,
	personName,
	phone,
	pin,
	rut,
} from "../../../../src/http/holder-fields.ts";
import {
	isCommonPin,
	meantEmail,
	type Reading,
	shownDate,
	shownRut,
	typedCardSerial,
	typedDate,
	typedEmail,
	typedName,
	typedPhone,
	typedPin,
	typedRut,
} from "../../../../src/widget/browser/typed.ts";
import { anyText, holds } from "../../../support/holds.ts";

describe("a holder's typing becomes the wire's form", () => {
	test.for([
		["11111111-1", "11111111-1"],
		["111111111", "11111111-1"],
		["11.111.111 – 1", "11111111-1"],
		["10000013k", "10000013-K"],
		["51266633", "5126663-3"],
	])("RUT %s", ([typed, value]) => expect(typedRut(typed!)).toEqual({ value }));

	test.for([
		["111111112", "rutDigit"],
		["12345", "rut"],
		["123456789012", "rut"],
		["ana", "rut"],
		["", "rut"],
	])("RUT %s is none", ([typed, problem]) => expect(typedRut(typed!)).toEqual({ problem }));

	test.for([
		["20-05-2031", "2031-05-20"],
		["20/5/2031", "2031-05-20"],
		["20052031", "2031-05-20"],
		["20 MAY 2031", "2031-05-20"],
		["1 ago. 2030", "2030-08-01"],
		["29-02-2032", "2032-02-29"],
	])("date %s", ([typed, value]) => expect(typedDate(typed!)).toEqual({ value }));

	test.for(["30-02-2031", "29022031", "20 XYZ 2031", "20-05-31", "05-20-2031", "mañana"])(
		"date %s is none",
		(typed) => expect(typedDate(typed)).toEqual({ problem: "date" }),
	);

	test.for([
		["9 1234 5678", "+56912345678"],
		["56 9 1234 5678", "+56912345678"],
		["+56 (9) 1234-5678", "+56912345678"],
		["221234567", "+56221234567"],
		["0034 600 123 456", "+34600123456"],
	])("telephone %s", ([typed, value]) => expect(typedPhone(typed!)).toEqual({ value }));

	test("card serials with blanks, dots and lower case", () => {
		expect(typedCardSerial("123.456.789")).toEqual({ value: "123456789" });
		expect(typedCardSerial("b1234 5678")).toEqual({ value: "B12345678" });
		expect(typedCardSerial("12.345.678-5")).toEqual({ value: "123456785" });
		expect(typedCardSerial("C12345678")).toEqual({ problem: "card" });
	});

	test("a RUT in place of the card's serial is seen, in any spelling, but for the sandbox's JUANA", () => {
		for (const again of ["12345678-5", "12.345.678-5", "123456785", "012345678-5"])
			expect(typedCardSerial(again, "12345678-5")).toEqual({ problem: "cardIsRut" });
		expect(typedCardSerial("10000013k", "10000013-K")).toEqual({ problem: "cardIsRut" });
		expect(typedCardSerial("123456785", "22222222-2")).toEqual({ value: "123456785" });
		expect(typedCardSerial("111111111", "11111111-1")).toEqual({ value: "111111111" });
	});

	test.for([
		["ana@gmial.com", "ana@gmail.com"],
		["ana@gmai.com", "ana@gmail.com"],
		["ana@gmaill.com", "ana@gmail.com"],
		["Ana@Gmail.CON", "Ana@gmail.com"],
		["ana@hotmial.com", "ana@hotmail.com"],
		["ana@hotmail.cm", "ana@hotmail.com"],
		["ana@outlok.cl", "ana@outlook.cl"],
		["ana@yaho.es", "ana@yahoo.es"],
	])("the e-mail %s was probably meant otherwise", ([typed, meant]) => {
		expect(meantEmail(typed!)).toBe(meant);
	});

	test.for([
		"ana@gmail.com",
		"ana@GMAIL.com",
		"ana@ymail.com",
		"ana@mail.com",
		"ana@uc.cl",
		"ana@example.cl",
	])("the e-mail %s is as it should be", (typed) => expect(meantEmail(typed)).toBeNull());

	test("a PIN that anybody would try first is seen", () => {
		for (const pin of ["0000", "1111", "1212", "1234", "4321", "7890", "0123", "3210"])
			expect([pin, isCommonPin(pin)]).toEqual([pin, true]);
		for (const pin of ["4821", "1123", "1221", "1990", "1357"])
			expect([pin, isCommonPin(pin)]).toEqual([pin, false]);
	});

	test("values are shown again in people's spelling", () => {
		expect(shownRut("12345678-5")).toBe("12.345.678-5");
		expect(shownRut("5126663-3")).toBe("5.126.663-3");
		expect(shownDate("2031-05-20")).toBe("20-05-2031");
	});
});

test("whatever is typed: what the page accepts, certificate_request accepts unchanged", () => {
	const pairs: [(text: string) => Reading, z.ZodType][] = [
		[typedRut, rut],
		[typedCardSerial, cardSerial],
		[typedDate, calendarDate],
		[typedPhone, phone],
		[typedEmail, email],
		[typedName, personName],
		[typedPin, pin],
	];
	const samples = [
		"11111111-1",
		"20 may 2031",
		"A123456789",
		"9 1234 5678",
		"ana@example.cl",
		"4821",
		"José",
	];
	const check = (text: string) => {
		for (const [read, schema] of pairs) {
			const reading = read(text);
			if ("value" in reading) expect(schema.parse(reading.value)).toBe(reading.value);
		}
	};
	for (const sample of samples) check(sample);
	holds([anyText], check);
});

test("an e-mail address, and a name, is one for the page exactly if it is one for the calls", () => {
	expect(EMAIL.source.replaceAll("\\", "")).toBe(z.regexes.html5Email.source.replaceAll("\\", ""));
	for (const length of [254, 255]) {
		const address = `${"a".repeat(length - 11)}@example.cl`;
		expect([length, isEmail(address)]).toEqual([length, email.safeParse(address).success]);
	}
	holds([anyText], (name) => {
		expect([name, isPersonName(name)]).toEqual([name, personName.safeParse(name).success]);
	});
});
