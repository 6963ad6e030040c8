import { element, latin, oid, same, sequence, TAG, Walk } from "./der.ts";
import { demand } from "./refusal.ts";
import * as tbs from "./tbs.ts";

/** Longest life of a responder's certificate, which nobody can revoke (id-pkix-ocsp-nocheck). */
const LONGEST_DAYS = 7;
/** Time after one responder in which no other is signed: they are renewed from the third day on. */
export const RENEWED_AFTER_MS = 2 * tbs.DAY_MS;

/** Reads an OCSP responder's TBSCertificate (RFC 6960 §4.2.2.2). Refuses what is not of the profile. */
export function readResponder(bytes: Uint8Array, authority: tbs.Authority, now: number) {
	const about = { authority, now, days: LONGEST_DAYS };
	const { asked, key, extensions } = tbs.readCertificate(bytes, about, (name) => {
		const isNamed = same(name, nameResponder(authority.subject));
		demand(isNamed, "SUBJECT", "Send the authority's name with its responder's common name.");
	});
	tbs.demandExtensions(extensions, authority, {
		...tbs.certificateRules(key.keyId),
		[tbs.KEY_USAGE]: Buffer.from("03020780", "hex"),
		[tbs.EXTENDED_KEY_USAGE]: sequence(oid("1.3.6.1.5.5.7.3.9")),
		"1.3.6.1.5.5.7.48.1.5": element(TAG.null),
	});
	return asked;
}

const COMMON_NAME = oid("2.5.4.3");

/** The authority's name whose common name ends in `OCSP`, in place of `Issuing CA` where it has that. */
function nameResponder(subject: Uint8Array): Uint8Array {
	const parts = Walk.over(subject, TAG.sequence, (name) => name.each(() => name.whole(TAG.set)));
	const renamed = parts.map((part) => {
		const pair = new Walk(new Walk(new Walk(part).take(TAG.set)).take(TAG.sequence));
		if (!same(pair.whole(TAG.oid), COMMON_NAME)) return part;
		const text = `${latin(pair.take(TAG.printable)).replace(/ Issuing CA$/, "")} OCSP`;
		return element(TAG.set, sequence(COMMON_NAME, element(TAG.printable, text)));
	});
	return sequence(...renamed);
}
