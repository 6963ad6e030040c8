import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { AppEnv } from "../../http/app-env.ts";
import type { KeyedHash } from "../../secrets/keyed-hash.ts";

/*
 * Which browser calls. Its cookie is random and says nothing; D1 knows its keyed hash. Every form carries another keyed
 * hash of it, which no other site can know.
 */

export interface Browser {
	tokenHash: string;
	/** For the forms. */
	csrf: string;
}

const NAME = "revocar";
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const TOKEN_BYTES = 32;

/** The browser that calls, known by its cookie or given one. */
export async function greet(c: Context<AppEnv>): Promise<Browser> {
	const { index } = c.get("platform");
	const known = readToken(c);
	const token = known ?? createToken();
	if (known === null)
		setCookie(c, NAME, token, { path: "/", httpOnly: true, sameSite: "Strict", ...(isHttps(c) && HOST) });
	return browserOf(index, token);
}

/** The browser whose form this is; null when the form is not from a page that it was given. */
export async function recognise(c: Context<AppEnv>, csrf: string): Promise<Browser | null> {
	const { index } = c.get("platform");
	const token = readToken(c);
	if (token === null || !TOKEN.test(csrf)) return null;
	return (await index.matches(csrf, "holder-csrf", token)) ? browserOf(index, token) : null;
}

/** `__Host-`: no other host of the zone can set it. It needs https, which local has not. */
const HOST = { prefix: "host", secure: true } as const;

function readToken(c: Context<AppEnv>): string | null {
	const token = isHttps(c) ? getCookie(c, NAME, "host") : getCookie(c, NAME);
	return token !== undefined && TOKEN.test(token) ? token : null;
}

function createToken(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
	return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

async function browserOf(index: KeyedHash, token: string): Promise<Browser> {
	const [tokenHash, csrf] = await Promise.all([
		index.of("holder-visit", token),
		index.of("holder-csrf", token),
	]);
	return { tokenHash, csrf };
}

function isHttps(c: Context<AppEnv>): boolean {
	return c.get("platform").settings.publicUrl.startsWith("https:");
}
