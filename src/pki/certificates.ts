import { type Context, Hono } from "hono";
import type { AppEnv } from "../http/app-env.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";

/** The addresses that certificates name: `caIssuers` of the leaf (RFC 5280 §4.2.2.1), and the root's. */
export const authorityCertificates = new Hono<AppEnv>()
	.get("/issuing.cer", (c) => certificate(c, platformIn(c).authority.certificate))
	.get("/root.cer", (c) => certificate(c, platformIn(c).authority.root))
	.get("/:keyId/cer", (c) => {
		const { authority } = platformIn(c);
		if (c.req.param("keyId") !== authority.keyId) return errorAnswer(c, "not_found");
		return certificate(c, authority.certificate);
	});

/** DER, as RFC 2585 §4.1 names it. */
function certificate(c: Context<AppEnv>, der: Uint8Array): Response {
	c.header("Cache-Control", "public, max-age=86400");
	return c.body(der as Uint8Array<ArrayBuffer>, 200, { "Content-Type": "application/pkix-cert" });
}
