import { AttributeTypeAndValue, AttributeValue, Name, RelativeDistinguishedName } from "@peculiar/asn1-x509";
import { expect, test } from "vitest";
import { isEmail, isRut, lintSubject } from "../../../src/x509/lint-subject.ts";

const HOLDER = { rut: "10000013-K", fullName: "MARIA JOSE SOTO", email: "maria@example.cl" };

type Value = Partial<Record<"printableString" | "utf8String" | "ia5String", string>>;

/** The five attributes of the profile with this common name. */
function subject(
	commonName: Value,
	change: (rdns: RelativeDistinguishedName[]) => void = () => undefined,
): Name {
	const rdns = (
		[
			["2.5.4.6", { printableString: "CL" }],
			["2.5.4.3", commonName],
			["1.2.840.113549.1.9.1", { ia5String: HOLDER.email }],
			["2.5.4.5", { printableString: HOLDER.rut }],
			["2.5.4.12", { printableString: "PERSONA NATURAL" }],
		] as [string, Value][]
	).map(
		([type, value]) =>
			new RelativeDistinguishedName([new AttributeTypeAndValue({ type, value: new AttributeValue(value) })]),
	);
	change(rdns);
	return new Name(rdns);
}

const named = (fullName: string) => ({ ...HOLDER, fullName });
const WRONG_NAME = ["subject CN: wrong"];
const NOT_THE_FIVE = ["subject: not the profile's five attributes"];
const X64 = "X".repeat(64);

test.each([
	["a printable name", { printableString: "MARIA JOSE SOTO" }, "MARIA JOSE SOTO"],
	["a name with Ñ", { utf8String: "MUÑOZ" }, "MUÑOZ"],
	["a decomposed name, composed", { utf8String: "MU\u00d1OZ" }, "MUN\u0303OZ"],
	["a name of 64 characters", { printableString: X64 }, X64],
	["the first 64 characters of 65", { printableString: X64 }, `${X64}Y`],
	["fewer than 64 characters of 65", { printableString: "X".repeat(60) }, `${X64}Y`],
	["64 characters outside the BMP", { utf8String: "𠮷".repeat(64) }, "𠮷".repeat(65)],
])("a subject may have %s", (_, commonName, fullName) => {
	expect(lintSubject(subject(commonName), named(fullName))).toEqual([]);
});

test.each([
	["no name", {}, ""],
	["an empty name", { printableString: "" }, ""],
	["another name", { printableString: "MARIA" }, HOLDER.fullName],
	["another long name", { printableString: X64 }, "Y".repeat(65)],
	["65 characters", { printableString: `${X64}X` }, `${X64}XY`],
	["a part of a name of 64 characters", { printableString: "X".repeat(63) }, X64],
	["a printable name as UTF8String", { utf8String: HOLDER.fullName }, HOLDER.fullName],
	["a name with Ñ as PrintableString", { printableString: "MUÑOZ" }, "MUÑOZ"],
	["a control character", { utf8String: "MU\u00d1OZ\n" }, "MU\u00d1OZ\n"],
])("a subject may not have %s", (_, commonName, fullName) => {
	expect(lintSubject(subject(commonName), named(fullName))).toEqual(WRONG_NAME);
});

test("each attribute stands alone in its RDN, and none is missing or too many", () => {
	const name = { printableString: HOLDER.fullName };
	const twice = subject(name, (rdns) => rdns[4]!.push(rdns[0]![0]!));
	const empty = subject(name, (rdns) => rdns[2]!.pop());
	const four = subject(name, (rdns) => rdns.pop());
	const six = subject(name, (rdns) => rdns.push(rdns[0]!));
	for (const wrong of [twice, empty, four, six]) expect(lintSubject(wrong, HOLDER)).toEqual(NOT_THE_FIVE);
	const swapped = subject(name, (rdns) => rdns.reverse());
	expect(lintSubject(swapped, HOLDER)).toEqual([
		"subject C: not in its place",
		"subject CN: not in its place",
		"subject serialNumber: not in its place",
		"subject title: not in its place",
	]);
});

test.each([
	["10000013-K", true],
	["6-K", true],
	["10000013-k", false],
	["010000013-K", false],
	["100000013-K", false],
	["10000013-KK", false],
	["10.000.013-K", false],
	["x10000013-K", false],
])("the RUT %s of a subject is well formed: %s", (rut, valid) => {
	expect(isRut(rut, rut)).toBe(valid);
	expect(isRut(rut, "1-9")).toBe(false);
});

test.each([
	["maria@example.cl", true],
	["maria example.cl", false],
	["maria@exam ple.cl", false],
	["mar\u00eda@example.cl", false],
	["maria@example.cl\u00f1", false],
	[" maria@example.cl", false],
])("the e-mail %j of a subject is ASCII: %s", (email, valid) => {
	expect(isEmail(email, email)).toBe(valid);
	expect(isEmail(email, "other@example.cl")).toBe(false);
});
