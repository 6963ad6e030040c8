import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/* The token of a widget's session: `wt_` and 256 random bits. Its SHA-256 alone is stored. */

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
