import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./app-env.ts";
import { errorAnswer } from "./errors.ts";

/**
 * Outside local, plain http and the host of PKI_URL are for `/pki` alone: certificates name http addresses (RFC 5280
 * §8), and a key must never travel so. Refuses before a key is read.
 */
export const keepPlainHttpToPki = createMiddleware<AppEnv>(async (c, next) => {
	if (!isForPkiAlone(c) || c.req.path.startsWith("/pki/")) return next();
	return errorAnswer(c, isPlainHttp(c) ? "https_required" : "not_found");
});

/** Whether a call came by plain http or to PKI_URL's host, outside local. */
export function isForPkiAlone(c: Context<AppEnv>): boolean {
	const { ENVIRONMENT, PKI_URL } = c.env;
	const deployed = ENVIRONMENT === "dev" || ENVIRONMENT === "prod";
	return deployed && (isPlainHttp(c) || URL.parse(c.req.url)?.hostname === URL.parse(PKI_URL)?.hostname);
}

function isPlainHttp(c: Context<AppEnv>): boolean {
	return !c.req.url.startsWith("https:");
}
