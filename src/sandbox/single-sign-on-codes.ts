import { clock } from "../clock.ts";

/*
 * The sandbox's authorization codes. A code is its content in base64url, unsigned: the credential that it is turned
 * into, `sso-<RUT>`, is public, so a forger gains nothing.
 */

/** Lifetime of a code in milliseconds. */
const CODE_MS = 60_000;

/** Choice of the holder on the sign-in page, and its sign-on. */
export interface SignedIn {
	rut: string;
	/** Behaviour of the token endpoint. */
	behaviour: "grants" | "slow" | "answers_503";
	clientId: string;
	redirectUri: string;
	/** Nonce of the authorize call. */
	nonce: string | null;
	codeChallenge: string | null;
}

export function createCode(signedIn: SignedIn): string {
	const meaning = { ...signedIn, until: clock() + CODE_MS, id: crypto.randomUUID() };
	const bytes = new TextEncoder().encode(JSON.stringify(meaning));
	return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

/** @returns null for what is no code, for one that is over, and for one that was spent before. */
export async function spendCode(code: string): Promise<SignedIn | null> {
	const meaning = readCode(code);
	if (meaning === null || meaning.until <= clock()) return null;
	const mark = `https://single-sign-on.sandbox/spent/${meaning.id}`;
	if (await caches.default.match(mark)) return null;
	const headers = { "Cache-Control": `max-age=${CODE_MS / 1000}` };
	await caches.default.put(mark, new Response("spent", { headers }));
	return meaning;
}

function readCode(code: string): (SignedIn & { until: number; id: string }) | null {
	try {
		const bytes = Uint8Array.fromBase64(code, { alphabet: "base64url" });
		return JSON.parse(new TextDecoder().decode(bytes));
	} catch {
		return null;
	}
}
