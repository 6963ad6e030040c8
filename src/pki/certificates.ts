import { type Context, Hono } from "hono";
import type { AppEnv } from "../http/app-env.ts";
import { errorAnswer } from "../http/errors.ts";
import { CACHED_MS } from "./validity.ts";

/** The addresses that certificates name: `caIssuers` (RFC 5280 §4.2.2.1), and the root's CRL. */
export const authorityCertificates = new Hono<AppEnv>()
	.get("/root.cer", (c) => certificate(c, c.get("platform").authority.root))
	.get("/root.crl", (c) => {
		const { rootCrl } = c.get("platform");
		if (!rootCrl) return errorAnswer(c, "not_found");
		c.header("Cache-Control", `public, max-age=${CACHED_MS / 1000}`);
		return c.body(rootCrl.der as Uint8Array<ArrayBuffer>, 200, { "Content-Type": "application/pkix-crl" });
	})
	.get("/:keyId/cer", (c) => {
		const authority = c.get("platform").authorities.find(({ keyId }) => keyId === c.req.param("keyId"));
		return authority ? certificate(c, authority.certificate) : errorAnswer(c, "not_found");
	});

/** DER, as RFC 2585 §4.1 names it. */
function certificate(c: Context<AppEnv>, der: Uint8Array): Response {
	c.header("Cache-Control", "public, max-age=86400");
	return c.body(der as Uint8Array<ArrayBuffer>, 200, { "Content-Type": "application/pkix-cert" });
}
