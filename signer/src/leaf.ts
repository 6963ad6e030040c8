import { element, latin, oid, same, TAG, Walk } from "./der.ts";
import { demand } from "./refusal.ts";
import * as tbs from "./tbs.ts";

/** Reads a holder's TBSCertificate. Refuses what is not of the profile (docs/operators/signer.md). */
export function readLeaf(bytes: Uint8Array, authority: tbs.Authority, now: number) {
	const about = { authority, now, days: authority.longest_days };
	const { asked, key, subject, extensions } = tbs.readCertificate(bytes, about, readSubject);
	const usage = USAGE.get(key.kind);
	demand(usage !== undefined, "WEAK_KEY", "Send a key of RSA-2048 or P-256.");
	const names = extensions.get(SUBJECT_ALT_NAME)?.value ?? new Uint8Array();
	demandNames(names, subject);
	tbs.demandExtensions(extensions, authority, {
		...{ ...tbs.certificateRules(key.id), ...authorityRules(authority), [SUBJECT_ALT_NAME]: names },
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

/** Reads C, CN, emailAddress, serialNumber and title, in this order. */
function readSubject(subject: Uint8Array): Holder {
	const [country, commonName, email, rut, title] = Walk.over(subject, TAG.sequence, (name) => [
		readAttribute(name, "2.5.4.6", TAG.printable),
		readAttribute(name, "2.5.4.3", TAG.printable, TAG.utf8),
		readAttribute(name, "1.2.840.113549.1.9.1", TAG.ia5),
		readAttribute(name, "2.5.4.5", TAG.printable),
		readAttribute(name, "2.5.4.12", TAG.printable),
	]) as [string, string, string, string, string];
	const isNatural = country === "CL" && title === "PERSONA NATURAL";
	demand(isNatural, "SUBJECT", "Send country and title as in the profile.");
	const isName = /^\P{Cc}{1,64}$/u.test(commonName) && commonName === commonName.normalize("NFC");
	demand(isName, "SUBJECT", "Send a common name of 1 to 64 characters in NFC, without controls.");
	demand(/^[!-?A-~]+@[!-?A-~]+$/.test(email), "SUBJECT", "Send an e-mail address in ASCII.");
	demand(isRut(rut), "SUBJECT", "Send the RUT as 12345678-5, with its check digit.");
	return { rut, email };
}

/** X.680 §41.4, table 10. */
const PRINTABLE = /^[A-Za-z0-9 '()+,./:=?-]*$/;

/** Reads the next attribute, alone in its RDN. @returns its text, which has one of these string tags */
function readAttribute(name: Walk, type: string, ...tags: number[]): string {
	demand(name.next !== undefined, "SUBJECT", `Send ${type} in the subject.`);
	return name.into(TAG.set, (set) =>
		set.into(TAG.sequence, (pair) => {
			demand(same(pair.whole(TAG.oid), oid(type)), "SUBJECT", `Send ${type} in its place of the subject.`);
			const tag = pair.next ?? 0;
			const bytes = pair.take(tag);
			const text = tag === TAG.ia5 ? latin(bytes) : Buffer.from(bytes).toString("utf8");
			const isText = tag === TAG.ia5 || same(Buffer.from(text), bytes);
			// A text that PrintableString can hold is one; others are UTF8String.
			const isTyped = tag === TAG.ia5 || PRINTABLE.test(text) === (tag === TAG.printable);
			const isRight = tags.includes(tag) && isText && isTyped;
			demand(isRight, "SUBJECT", `Send ${type} as the profile's type of string.`);
			return text;
		}),
	);
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
	const [type, rut, email] = Walk.over(value, TAG.sequence, (names) => [
		...names.into(0xa0, (other) => [other.whole(TAG.oid), other.into(0xa0, (text) => text.take(TAG.ia5))]),
		names.take(0x81),
	]) as [Uint8Array, Uint8Array, Uint8Array];
	demand(same(type, HOLDER_RUT), "EXTENSIONS", "Send the holder's RUT as the first alternative name.");
	demand(latin(rut) === holder.rut, "RUT_MISMATCH", "Send one RUT in both places.");
	demand(latin(email) === holder.email, "EMAIL_MISMATCH", "Send one e-mail address in both places.");
}

/** Rules of the extensions that are the same in every leaf. */
function authorityRules({ base, policy_oid, cps_url, rut }: tbs.Authority): Record<string, Uint8Array> {
	const sequence = (...parts: Uint8Array[]) => element(TAG.sequence, ...parts);
	const address = (name: string) => element(0x86, `${base}/${name}`);
	const qualifier = sequence(oid("1.3.6.1.5.5.7.2.1"), element(TAG.ia5, cps_url));
	const ocsp = sequence(oid("1.3.6.1.5.5.7.48.1"), address("ocsp"));
	const issuers = sequence(oid("1.3.6.1.5.5.7.48.2"), address("cer"));
	return {
		[tbs.EXTENDED_KEY_USAGE]: sequence(oid("1.3.6.1.5.5.7.3.2"), oid("1.3.6.1.5.5.7.3.4")),
		"2.5.29.32": sequence(sequence(oid(policy_oid), sequence(qualifier))),
		"2.5.29.31": sequence(sequence(element(0xa0, element(0xa0, address("crl"))))),
		"1.3.6.1.5.5.7.1.1": sequence(ocsp, issuers),
		"2.5.29.18": sequence(element(0xa0, AUTHORITY_RUT, element(0xa0, element(TAG.ia5, rut)))),
	};
}
