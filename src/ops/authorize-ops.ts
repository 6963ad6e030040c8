import { createMiddleware } from "hono/factory";
import type { Actor } from "../domain/actor.ts";
import type { AppEnv } from "../http/app-env.ts";
import { rejectionAnswer } from "../http/rejections.ts";

/** Who acts in the audit: the one token of ops. */
export const OPS_ACTOR: Actor = "ops:token";

/** Without a token configured the group is not there, whatever path, method or body is sent. */
export const hideOpsWithoutToken = createMiddleware<AppEnv>(async (c, next) =>
	c.get("platform").settings.opsToken === null ? rejectionAnswer(c, { reason: "not_found" }) : next(),
);

/** `Authorization: Bearer <OPS_TOKEN>`, compared in constant time. */
export const authorizeOps = createMiddleware<AppEnv>(async (c, next) => {
	const opsToken = c.get("platform").settings.opsToken ?? "";
	const presented = /^Bearer ([\x21-\x7e]+)$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
	if (!(await sameSecret(presented, opsToken))) {
		c.header("WWW-Authenticate", "Bearer");
		return rejectionAnswer(c, { reason: "unauthorized" });
	}
	await next();
});

/** Digests have one length, so comparing them tells nothing of the secrets' lengths. */
async function sameSecret(presented: string, expected: string): Promise<boolean> {
	const digest = (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
	const [a, b] = await Promise.all([digest(presented), digest(expected)]);
	return crypto.subtle.timingSafeEqual(a, b);
}
