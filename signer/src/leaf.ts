import { element, oid, same, sequence, TAG, Walk } from "./der.ts";
import { demand } from "./refusal.ts";
import * as tbs from "./tbs.ts";

/** Reads a holder's TBSCertificate. Refuses what is not of the profile (docs/operators/signer.md). */
export function readLeaf(bytes: Uint8Array, authority: tbs.Authority, now: number) {
	const about = { authority, now, days: authority.longest_days };
	const { asked, key, subject, extensions } = tbs.readCertificate(bytes, about, readSubject);
	const usage = USAGE.get(key.kind);
	demand(usage !== undefined, "WEAK_KEY", "Send a key of RSA-2048 or P-256.");
	const names = tbs.extensionValue(extensions, SUBJECT_ALT_NAME);
	demandNames(names, subject);
	tbs.demandExtensions(extensions, authority, {
		...{ ...tbs.certificateRules(key.keyId), ...authorityRules(authority), [SUBJECT_ALT_NAME]: names },
		[tbs.KEY_USAGE]: Buffer.from(usage, "hex"),
	});
	return asked;
}

/** digitalSignature and nonRepudiation; with RSA also keyEncipherment, which RFC 8813 §3 forbids to an EC key. */
const USAGE = new Map([
	["rsa-2048", "030205e0"],
	["p-256", "030206c0"],
]);

type Holder = { rut: string; email: string };

/** Characters of PrintableString (X.680 §41.4, table 10): what it can hold is one, other texts are UTF8String. */
const PRINTABLE = /^[A-Za-z0-9 '()+,./:=?-]*$/;

/** Reads C, CN, emailAddress, serialNumber and title, in this order: written again they are the same bytes. */
function readSubject(subject: Uint8Array): Holder {
	const texts = Walk.over(subject, TAG.sequence, (name) =>
		name.each(() => name.into(TAG.set, readAttribute)),
	);
	const [, commonName = "", email = "", rut = ""] = texts;
	const isName = /^\P{Cc}{1,64}$/u.test(commonName) && commonName === commonName.normalize("NFC");
	demand(isName, "SUBJECT", "Send a common name of 1 to 64 characters in NFC, without controls.");
	demand(/^[!-?A-~]+@[!-?A-~]+$/.test(email), "SUBJECT", "Send an e-mail address in ASCII.");
	demand(isRut(rut), "SUBJECT", "Send the RUT as 12345678-5, with its check digit.");
	const attributes = NAME.map(([type, text], i) => {
		const value = Buffer.from(text ?? texts[i] ?? "");
		const printable = PRINTABLE.test(value.toString()) ? TAG.printable : TAG.utf8;
		const tag = type === EMAIL_ADDRESS ? TAG.ia5 : printable;
		return element(TAG.set, sequence(oid(type), element(tag, value)));
	});
	const isProfile = same(subject, sequence(...attributes));
	demand(isProfile, "SUBJECT", "Send country, name, e-mail address, RUT and title as in the profile.");
	return { rut, email };
}

const EMAIL_ADDRESS = "1.2.840.113549.1.9.1";
/** Types of the subject's attributes, and the text where it is the same in every leaf. */
const NAME: [type: string, text?: string][] = [
	["2.5.4.6", "CL"],
	["2.5.4.3"],
	[EMAIL_ADDRESS],
	["2.5.4.5"],
	["2.5.4.12", "PERSONA NATURAL"],
];

function readAttribute(set: Walk): string {
	return set.into(TAG.sequence, (pair) => {
		pair.whole(TAG.oid);
		return Buffer.from(pair.take(pair.next ?? 0)).toString();
	});
}

/** Whether it is digits without a leading zero, a hyphen, and the check digit by modulo 11. */
function isRut(text: string): boolean {
	const [, digits = "", check] = /^([1-9]\d{0,7})-([\dK])$/.exec(text) ?? [];
	const sum = [...digits].reverse().reduce((total, digit, i) => total + Number(digit) * (2 + (i % 6)), 0);
	return check === "0K987654321"[sum % 11];
}

const SUBJECT_ALT_NAME = "2.5.29.17";
/** Decreto 181/2002: otherName types of the holder's and of the authority's RUT. */
const HOLDER_RUT = oid("1.3.6.1.4.1.8321.1");
const AUTHORITY_RUT = oid("1.3.6.1.4.1.8321.2");

/** Refuses alternative names unless they are the subject's RUT, then its e-mail address. */
function demandNames(value: Uint8Array, holder: Holder): void {
	const [rut, email] = Walk.over(value, TAG.sequence, (names) => [names.whole(0xa0), names.whole(0x81)]);
	demand(same(rut!, rutName(HOLDER_RUT, holder.rut)), "RUT_MISMATCH", "Send one RUT in both places.");
	const isSame = same(email!, element(0x81, holder.email));
	demand(isSame, "EMAIL_MISMATCH", "Send one e-mail address in both places.");
}

/** DER of a RUT as an otherName. */
function rutName(type: Uint8Array, rut: string): Buffer {
	return element(0xa0, type, element(0xa0, element(TAG.ia5, rut)));
}

/** Rules of the extensions that are the same in every leaf. */
function authorityRules({ base, policy_oid, cps_url, rut }: tbs.Authority): Record<string, Uint8Array> {
	const address = (name: string) => element(0x86, `${base}/${name}`);
	const qualifier = sequence(oid("1.3.6.1.5.5.7.2.1"), element(TAG.ia5, cps_url));
	const ocsp = sequence(oid("1.3.6.1.5.5.7.48.1"), address("ocsp"));
	const issuers = sequence(oid("1.3.6.1.5.5.7.48.2"), address("cer"));
	return {
		[tbs.EXTENDED_KEY_USAGE]: sequence(oid("1.3.6.1.5.5.7.3.2"), oid("1.3.6.1.5.5.7.3.4")),
		"2.5.29.32": sequence(sequence(oid(policy_oid), sequence(qualifier))),
		"2.5.29.31": sequence(sequence(element(0xa0, element(0xa0, address("crl"))))),
		"1.3.6.1.5.5.7.1.1": sequence(ocsp, issuers),
		"2.5.29.18": sequence(rutName(AUTHORITY_RUT, rut)),
	};
}
