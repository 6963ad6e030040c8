import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/*
 * The id of a widget's session, by which its database is found, and its token: `wt_` and 256 random bits, of which the SHA-256
 * alone is stored.
 */

const ID = /^os_[0-9a-f]{24}([0-9a-f]{8})$/;

/** `os_`, 96 random bits and the partner's number. */
export function newSessionId(partnerNumber: number): string {
	const random = bytesToHex(crypto.getRandomValues(new Uint8Array(12)));
	return `os_${random}${partnerNumber.toString(16).padStart(8, "0")}`;
}

/** The partner's number in a session's id; null for what is no id. */
export function partnerNumberIn(id: string): number | null {
	const [, number] = ID.exec(id) ?? [];
	return number === undefined ? null : Number.parseInt(number, 16);
}

const TOKEN_BYTES = 32;
const FORM = /^wt_[A-Za-z0-9_-]{43}$/;

export function createSessionToken(): string {
	const random = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
	return `wt_${random.toBase64({ alphabet: "base64url", omitPadding: true })}`;
}

/** SHA-256 in hex. The token has 256 random bits, so a plain hash is enough. */
export async function hashSessionToken(token: string): Promise<string> {
	return bytesToHex(
		new Uint8Array(await crypto.subtle.digest("SHA-256", utf8ToBytes(token) as Uint8Array<ArrayBuffer>)),
	);
}

/** Compares in constant time. */
export async function isTokenOf(token: string, hash: string): Promise<boolean> {
	if (!FORM.test(token)) return false;
	return crypto.subtle.timingSafeEqual(utf8ToBytes(await hashSessionToken(token)), utf8ToBytes(hash));
}
