import type { AttributeValue, Name } from "@peculiar/asn1-x509";
import type { Holder } from "./subject-name.ts";

type StringType = "printableString" | "utf8String" | "ia5String";

/** X.680 §41.4, table 10. */
const PRINTABLE_CHARACTERS = /^[ A-Za-z0-9'()+,./:=?-]+$/;

const attributes: [oid: string, name: string, holds: (value: AttributeValue, holder: Holder) => boolean][] = [
	["2.5.4.6", "C", (value) => only(value, "printableString") === "CL"],
	["2.5.4.3", "CN", (value, holder) => isCommonName(value, holder.fullName)],
	[
		"1.2.840.113549.1.9.1",
		"emailAddress",
		(value, holder) => isEmail(only(value, "ia5String"), holder.email),
	],
	["2.5.4.5", "serialNumber", (value, holder) => isRut(only(value, "printableString"), holder.rut)],
	["2.5.4.12", "title", (value) => only(value, "printableString") === "PERSONA NATURAL"],
];

/** Failures of a leaf's subject: these five attributes, in this order, one per RDN, and no others. */
export function lintSubject(subject: Name, holder: Holder): string[] {
	if (subject.length !== attributes.length || subject.some((rdn) => rdn.length !== 1)) {
		return ["subject: not the profile's five attributes"];
	}
	return attributes.flatMap(([oid, name, holds], i) => {
		const attribute = subject[i]![0]!;
		if (attribute.type !== oid) return [`subject ${name}: not in its place`];
		return holds(attribute.value, holder) ? [] : [`subject ${name}: wrong`];
	});
}

/** Bare RUT, `12345678-K`: no dots, no leading zero, upper-case K. */
export function isRut(text: string | undefined, wanted: string): boolean {
	return text === wanted && /^[1-9][0-9]{0,7}-[0-9K]$/.test(text);
}

/** The library writes and reads Latin-1 in an IA5String, so ASCII is checked separately. */
export function isEmail(text: string | undefined, wanted: string): boolean {
	return text === wanted && /^[\x21-\x7e]+@[\x21-\x7e]+$/.test(text);
}

/** The full name, or a prefix of at most 64 characters when it is longer. */
function isCommonName(value: AttributeValue, fullName: string): boolean {
	const printable = only(value, "printableString");
	const text = printable ?? only(value, "utf8String");
	if (!text || /\p{Cc}/u.test(text)) return false;
	if (PRINTABLE_CHARACTERS.test(text) !== (printable !== undefined)) return false;
	const wanted = fullName.normalize("NFC");
	if ([...wanted].length <= 64) return text === wanted;
	return wanted.startsWith(text) && [...text].length <= 64;
}

function only(value: AttributeValue, type: StringType): string | undefined {
	return value[type];
}
