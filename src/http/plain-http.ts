import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./app-env.ts";
import { errorAnswer } from "./errors.ts";

/**
 * Outside local, plain http and the host of PKI_URL are for `/pki` alone: certificates name http addresses (RFC 5280
 * §8), and a key must never travel so. Refuses before a key is read.
 */
export const keepPlainHttpToPki = createMiddleware<AppEnv>(async (c, next) => {
	const { ENVIRONMENT, PKI_URL } = c.env;
	const deployed = ENVIRONMENT === "dev" || ENVIRONMENT === "prod";
	if (!deployed || c.req.path.startsWith("/pki/")) return next();
	if (!c.req.url.startsWith("https:")) return errorAnswer(c, "https_required");
	if (URL.parse(c.req.url)?.hostname === URL.parse(PKI_URL)?.hostname) return errorAnswer(c, "not_found");
	return next();
});
