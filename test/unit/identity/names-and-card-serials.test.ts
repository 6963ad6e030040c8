import { expect, test } from "vitest";
import { normaliseCardSerial } from "../../../src/domain/card-serial.ts";
import { fullName, namesAgree } from "../../../src/identity/compare-names.ts";

const maria = { names: "MARÍA JOSÉ", fatherSurname: "DEL RÍO", motherSurname: "O'HIGGINS" };
const pedro = { names: "PEDRO PABLO", fatherSurname: "MUÑOZ", motherSurname: "ÑANCUPIL" };
const jose = { names: "JOSÉ", fatherSurname: "ROJAS", motherSurname: null };

test.each([
	["with an accent the registry lacks", pedro, { names: "PÉDRO PABLO" }],
	["with N where the registry has Ñ", pedro, { fatherSurname: "Munoz", motherSurname: "nancupil" }],
	["with a typographic apostrophe", maria, { motherSurname: "O’Higgins" }],
	["with an opening quote for an apostrophe", maria, { motherSurname: "O‘Higgins" }],
	["with an acute accent for an apostrophe", maria, { motherSurname: "O´Higgins" }],
	["with a grave accent for an apostrophe", maria, { motherSurname: "O`Higgins" }],
	["without the maternal surname, when it was not sent", maria, { motherSurname: null }],
	["with a blank maternal surname, when the registry has none", jose, { motherSurname: " " }],
	["without a maternal surname on either side", jose, {}],
])("a sent name matches the registered one %s", (_, registered, sent) => {
	expect(namesAgree({ ...registered, ...sent }, registered)).toBe(true);
});

test.each([
	["when a given name is missing", maria, { names: "MARÍA" }],
	["when the given names are in another order", maria, { names: "JOSÉ MARÍA" }],
	["when given names are run together", maria, { names: "MARÍAJOSÉ" }],
	["when one letter differs", maria, { names: "MARÍO JOSÉ" }],
	["when it is blank", maria, { names: " " }],
	["when the paternal surname differs", maria, { fatherSurname: "RÍO" }],
	["when the maternal surname differs", maria, { motherSurname: "SOTO" }],
	["when the maternal surname is blank and the registry has one", maria, { motherSurname: "" }],
	["when a maternal surname is sent and the registry has none", jose, { motherSurname: "SOTO" }],
	["when the apostrophe is left out", maria, { motherSurname: "OHIGGINS" }],
	["when the surnames are exchanged", pedro, { fatherSurname: "ÑANCUPIL", motherSurname: "MUÑOZ" }],
])("a sent name does not match the registered one %s", (_, registered, sent) => {
	expect(namesAgree({ ...registered, ...sent }, registered)).toBe(false);
});

test("the full name is names and surnames in the registry's spelling, joined by one space", () => {
	expect(fullName(maria)).toBe("MARÍA JOSÉ DEL RÍO O'HIGGINS");
	expect(fullName(jose)).toBe("JOSÉ ROJAS");
	expect(fullName({ ...maria, names: " MARÍA  JOSÉ " })).toBe("MARÍA JOSÉ DEL RÍO O'HIGGINS");
});

test.each([
	["111111111", "111111111"],
	["111.111.111", "111111111"],
	[" 111 111 111 ", "111111111"],
	["A222222222", "A222222222"],
	["a222.222.222", "A222222222"],
	["B12345678", "B12345678"],
	["b 12.345.678", "B12345678"],
	["020000000", "020000000"],
])("the card serial %j is normalised to %j", (typed, canonical) => {
	expect(normaliseCardSerial(typed)).toBe(canonical);
});

test.each([
	[""],
	["   "],
	["11111111"],
	["1111111111"],
	["A22222222"],
	["A2222222222"],
	["B1234567"],
	["B123456789"],
	["C12345678"],
	["AB2345678"],
	["111-111-111"],
	["١١١١١١١١١"],
	["111111111;"],
	["111111111\u0000"],
])("%j is not a card serial", (typed) => {
	expect(normaliseCardSerial(typed)).toBeNull();
});
