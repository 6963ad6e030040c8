import { AttributeTypeAndValue, AttributeValue, Name, RelativeDistinguishedName } from "@peculiar/asn1-x509";
import { serialize } from "./der.ts";

/** The holder of a certificate. `rut` is `12345678-5`; the caller has validated all three. */
export interface Holder {
	rut: string;
	fullName: string;
	email: string;
}

/** X.680 §41.4, table 10. */
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/;
/** ub-common-name, RFC 5280 appendix A.1: counted in characters. */
const COMMON_NAME_MAX = 64;

/**
 * DER of the leaf's subject. Values are set as attribute values and never parsed from a string,
 * so a comma or an `=` in a person's name is only text.
 */
export function encodeSubjectName(holder: Holder): Uint8Array {
	return serialize(
		new Name([
			attribute("2.5.4.6", { printableString: "CL" }),
			attribute("2.5.4.3", directoryString(commonNameOf(holder.fullName))),
			attribute("1.2.840.113549.1.9.1", { ia5String: holder.email }),
			attribute("2.5.4.5", { printableString: holder.rut }),
			attribute("2.5.4.12", { printableString: "PERSONA NATURAL" }),
		]),
	);
}

/**
 * The full name in NFC, cut to 64 code points, the maximum of a common name.
 * A longer name is cut after the last whole word that fits; the PFX's friendlyName has the full name.
 */
export function commonNameOf(fullName: string): string {
	const symbols = Array.from(fullName.normalize("NFC"));
	if (symbols.length <= COMMON_NAME_MAX) return symbols.join("");
	const cut = symbols.slice(0, COMMON_NAME_MAX + 1).lastIndexOf(" ");
	return symbols
		.slice(0, cut > 0 ? cut : COMMON_NAME_MAX)
		.join("")
		.trimEnd();
}

function directoryString(text: string): Partial<AttributeValue> {
	return PRINTABLE.test(text) ? { printableString: text } : { utf8String: text };
}

function attribute(type: string, value: Partial<AttributeValue>): RelativeDistinguishedName {
	return new RelativeDistinguishedName([
		new AttributeTypeAndValue({ type, value: new AttributeValue(value) }),
	]);
}
