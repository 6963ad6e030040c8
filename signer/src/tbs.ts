import type { KeyObject } from "node:crypto";
import type { Config } from "./config.ts";
import { element, hex, oid, same, sequence, TAG, Walk } from "./der.ts";
import { readPublicKey } from "./public-key.ts";
import { demand, type RefusalCode } from "./refusal.ts";

/** The authority that is signed for. Byte arrays are DER, except `keyId`; times are epoch milliseconds. */
export interface Authority extends Pick<Config, "rut" | "policy_oid" | "cps_url" | "longest_days"> {
	/** Name: the issuer of what is signed. */
	subject: Uint8Array;
	/** AlgorithmIdentifier of its signatures, and the hash of it. */
	algorithm: Uint8Array;
	hash: "sha256" | "sha384";
	publicKey: KeyObject;
	/** SHA-256 of its SubjectPublicKeyInfo. */
	keyHash: string;
	keyId: Uint8Array;
	/** Base of its addresses: PKI_URL and key id. */
	base: string;
	notBefore: number;
	notAfter: number;
}

export const VERSION_3 = element(0xa0, Buffer.from("020102", "hex"));
export const DAY_MS = 86_400_000;
/** Longest that a Worker's clock and the one here may differ. */
export const SKEW_MS = 60_000;
/** Longest that a start or a CRL's update may be from now. */
export const START_MS = 10 * 60_000;

/**
 * Reads a TBSCertificate to its last byte. Refuses what no certificate may have that is signed here; the caller judges its
 * subject and its extensions. Times are epoch milliseconds.
 */
export function readCertificate<Subject>(
	bytes: Uint8Array,
	{ authority, now, days }: { authority: Authority; now: number; days: number },
	readSubject: (name: Uint8Array) => Subject,
) {
	return Walk.over(bytes, TAG.sequence, (walk) => {
		demand(same(walk.whole(0xa0), VERSION_3), "VERSION", "Send a certificate of version 3.");
		const serial = readSerial(walk);
		demandIssuer(walk, authority);
		const { notBefore, notAfter } = readValidity(walk);
		const subject = readSubject(walk.whole(TAG.sequence));
		const key = readPublicKey(walk.whole(TAG.sequence));
		const extensions = readFramedExtensions(walk);
		demand(Math.abs(notBefore - now) <= START_MS, "START", "Send a start at most ten minutes from now.");
		demand(notBefore >= authority.notBefore, "START", "Send a start that is not before the authority's.");
		demand(notAfter > notBefore, "END", "Send an end after the start.");
		demand(notAfter <= now + days * DAY_MS + SKEW_MS, "END", `Send an end at most ${days} days from now.`);
		demand(notAfter <= authority.notAfter, "END", "Send an end that is not after the authority's.");
		return { asked: { serial, keyHash: key.keyHash, ends: notAfter }, key, subject, extensions };
	});
}

export function demandIssuer(walk: Walk, { algorithm, subject }: Authority): void {
	demand(same(walk.whole(TAG.sequence), algorithm), "ALGORITHM", "Name the authority's signature algorithm.");
	demand(same(walk.whole(TAG.sequence), subject), "ISSUER", "Name the authority as the issuer.");
}

/** Reads a serial number of 16 bytes whose first bits are 01. @returns upper-case hex */
export function readSerial(walk: Walk): string {
	const bytes = walk.integer();
	demand(bytes.length === 16 && bytes[0]! >> 6 === 1, "SERIAL", "Send 16 bytes that begin with the bits 01.");
	return hex(bytes).toUpperCase();
}

export function readValidity(walk: Walk): { notBefore: number; notAfter: number } {
	return walk.into(TAG.sequence, (times) => ({ notBefore: times.time(), notAfter: times.time() }));
}

/** Extensions by the hex of their identifiers' DER. */
type Extensions = Map<string, { critical: boolean; value: Uint8Array }>;

/** Value of an extension by its dotted identifier; empty where it lacks. */
export function extensionValue(extensions: Extensions, name: string): Uint8Array {
	return extensions.get(hex(oid(name)))?.value ?? new Uint8Array();
}

function readExtensions(list: Walk): Extensions {
	const found: Extensions = new Map();
	list.each(() =>
		list.into(TAG.sequence, (one) => {
			const name = hex(one.whole(TAG.oid));
			demand(!found.has(name), "EXTENSIONS", "Send each extension once.");
			// X.690 §11.5: FALSE is the default, so it is left out.
			const critical = one.next === TAG.boolean;
			if (critical) demand(hex(one.take(TAG.boolean)) === "ff", "NOT_DER", "Send critical as TRUE.");
			found.set(name, { critical, value: one.take(TAG.octets) });
		}),
	);
	return found;
}

/** Reads `[3] EXPLICIT Extensions` of a certificate, `[0]` of a CRL. */
export function readFramedExtensions(walk: Walk, tag = 0xa3): Extensions {
	return walk.into(tag, (framed) => framed.into(TAG.sequence, readExtensions));
}

/** Bytes that an extension must have. It is critical where its name is in CRITICAL. */
type Rules = Record<string, Uint8Array>;

export const BASIC_CONSTRAINTS = "2.5.29.19";
export const KEY_USAGE = "2.5.29.15";
export const KEY_IDENTIFIER = "2.5.29.14";
export const EXTENDED_KEY_USAGE = "2.5.29.37";
const AUTHORITY_KEY_IDENTIFIER = "2.5.29.35";
const CRITICAL = [BASIC_CONSTRAINTS, KEY_USAGE];
const CODES: Record<string, RefusalCode> = {
	[BASIC_CONSTRAINTS]: "CA",
	[AUTHORITY_KEY_IDENTIFIER]: "ISSUER",
};

/** Refuses extensions unless they are exactly these and the authority's key identifier, with exactly these bytes. */
export function demandExtensions(found: Extensions, { keyId }: Authority, others: Rules): void {
	const rules: Rules = { [AUTHORITY_KEY_IDENTIFIER]: sequence(element(0x80, keyId)), ...others };
	for (const [name, value] of Object.entries(rules)) {
		const critical = CRITICAL.includes(name);
		const isThere = found.get(hex(oid(name)))?.critical === critical;
		demand(isThere, "EXTENSIONS", `Send extension ${name}, critical: ${critical}.`);
		const code = CODES[name] ?? "EXTENSIONS";
		demand(same(extensionValue(found, name), value), code, `Send ${name} as in the profile.`);
	}
	const isAll = found.size === Object.keys(rules).length;
	demand(isAll, "EXTENSIONS", "Leave out the extensions that the profile lacks.");
}

/** Rules of every certificate that is signed here: no authority, and its own key's identifier. */
export function certificateRules(keyId: Uint8Array): Rules {
	return { [BASIC_CONSTRAINTS]: sequence(), [KEY_IDENTIFIER]: element(TAG.octets, keyId) };
}
