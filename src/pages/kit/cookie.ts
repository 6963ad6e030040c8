import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

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

/** 256 random bits in base64url, 43 characters. */
export function createToken(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
	return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}
