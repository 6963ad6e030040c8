import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { ChangeOrigin } from "../db/audit-events.ts";
import type { Actor } from "../domain/actor.ts";
import type { AppEnv } from "../http/app-env.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";

/** Who acts in the audit: there is one token of ops. */
export const OPS_ACTOR: Actor = "ops:token";

export function originOf(c: Context<AppEnv>): ChangeOrigin {
	return { actor: OPS_ACTOR, requestId: c.get("requestId"), now: c.get("platform").clock() };
}

/** Without a token configured no path of the group exists, for any method and body. */
export const hideOpsWithoutToken = createMiddleware<AppEnv>(async (c, next) =>
	platformIn(c).settings.opsToken === null ? errorAnswer(c, "not_found") : next(),
);

/** `Authorization: Bearer <OPS_TOKEN>`, compared in constant time. */
export const authorizeOps = createMiddleware<AppEnv>(async (c, next) => {
	const opsToken = platformIn(c).settings.opsToken ?? "";
	const presented = /^Bearer ([\x21-\x7e]+)$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? "";
	if (!(await sameSecret(presented, opsToken))) {
		c.header("WWW-Authenticate", "Bearer");
		return errorAnswer(c, "ops_unauthorized");
	}
	await next();
});

/** Digests have one length, so the comparison does not reveal the lengths of the secrets. */
async function sameSecret(presented: string, expected: string): Promise<boolean> {
	const digest = (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
	const [a, b] = await Promise.all([digest(presented), digest(expected)]);
	return crypto.subtle.timingSafeEqual(a, b);
}
