import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Call } from "./call.ts";

/* Cookies that identify a browser: for this host alone, out of reach for scripts, sent from no other site. */

/** `__Host-`: no other host of the zone can set it. It needs https, which local lacks. */
const HOST = { prefix: "host", secure: true } as const;
const TOKEN_BYTES = 32;

export function isHttps(c: Context): boolean {
	return c.req.url.startsWith("https:");
}

/** '' without one. */
export function readCookie(c: Context, name: string): string {
	return (isHttps(c) ? getCookie(c, name, "host") : getCookie(c, name)) ?? "";
}

/** @param lifeMs - not given: until the browser is closed */
export function writeCookie(c: Context, name: string, value: string, lifeMs?: number): void {
	const attributes = { path: "/", httpOnly: true, sameSite: "Strict" } as const;
	const life = lifeMs === undefined ? {} : { maxAge: lifeMs / 1000 };
	setCookie(c, name, value, { ...attributes, ...life, ...(isHttps(c) && HOST) });
}

/* The cookie of one page, under a name of its own: a browser sends a cookie to the addresses below its path, too. */

/** `__Secure-`: `__Host-` forbids a path. */
const PAGE = { prefix: "secure", secure: true } as const;

/** '' without one. */
export function readPageCookie(c: Context): string {
	const name = pageCookie(c.req.path);
	return (isHttps(c) ? getCookie(c, name, "secure") : getCookie(c, name)) ?? "";
}

export function writePageCookie(c: Context, path: string, value: string, lifeMs: number): void {
	const attributes = { path, httpOnly: true, sameSite: "Strict", maxAge: Math.ceil(lifeMs / 1000) } as const;
	setCookie(c, pageCookie(path), value, { ...attributes, ...(isHttps(c) && PAGE) });
}

function pageCookie(path: string): string {
	return `shown${path.replaceAll("/", "-")}`;
}

export function dropCookie(c: Context, name: string): void {
	deleteCookie(c, name, { path: "/", ...(isHttps(c) && HOST) });
}

/** A token, after the number of the partner whose it is, and its keyed hash: an invented cookie never reaches D1. */
const SIGNED = /^((?:[0-9a-f]{8}\.)?[A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

/** Gives the browser a cookie that holds a token. @param lifeMs - as of {@link writeCookie} */
export async function writeToken(c: Call, name: string, token: string, lifeMs?: number): Promise<void> {
	writeCookie(c, name, `${token}.${await c.get("platform").index.of(`${name}-cookie`, token)}`, lifeMs);
}

/** Returns the token in a cookie of the right form, whoever made it; null without one. */
export function tokenIn(c: Call, name: string): string | null {
	return SIGNED.exec(readCookie(c, name))?.[1] ?? null;
}

/** Returns the token in a cookie that the service gave; null for any other. */
export async function readToken(c: Call, name: string): Promise<string | null> {
	const [, token = "", mac = ""] = SIGNED.exec(readCookie(c, name)) ?? [];
	return token && (await c.get("platform").index.matches(mac, `${name}-cookie`, token)) ? token : null;
}

/** 256 random bits in base64url, 43 characters. */
export function createToken(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
	return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}
