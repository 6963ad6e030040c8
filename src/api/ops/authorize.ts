import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { Operator, OpsRole, OpsToken } from "../../domain/operators.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { errorAnswer } from "../../http/errors.ts";

/** Answers 404 for any method and path of the group when no way in is configured. */
export const hideOpsWithoutWayIn = createMiddleware<AppEnv>(async (c, next) => {
	const { tokens, access } = c.get("platform").settings.ops;
	return tokens.length === 0 && access === null ? errorAnswer(c, "not_found") : next();
});

/** Either way in suffices: `Authorization: Bearer <token>`, or Cloudflare Access. */
export const authorizeOps = createMiddleware<AppEnv>(async (c, next) => {
	const operator = await identify(c);
	if (operator === null) {
		c.header("WWW-Authenticate", "Bearer");
		return errorAnswer(c, "ops_unauthorized");
	}
	c.set("operator", operator);
	await next();
});

/** Checks the role that a route of `opsRoute` names. */
export function requireRole(role: OpsRole) {
	return createMiddleware<AppEnv>(async (c, next) =>
		c.get("operator").roles.has(role) ? next() : errorAnswer(c, "role_required", { values: { role } }),
	);
}

async function identify(c: Context<AppEnv>): Promise<Operator | null> {
	const { tokens } = c.get("platform").settings.ops;
	const presented = /^Bearer ([\x21-\x7e]+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
	const token = presented ? await findToken(presented, tokens) : null;
	return token ? operatorOf(c, token.name) : identifyByAccess(c);
}

/** The person in Cloudflare Access' assertion, checked on each call. @throws {Unavailable} without the team's keys. */
export async function identifyByAccess(c: Context<AppEnv>): Promise<Operator | null> {
	const { access } = c.get("platform");
	const assertion = c.req.header("cf-access-jwt-assertion");
	const name = access && assertion ? await access.personOf(assertion) : null;
	return name === null ? null : operatorOf(c, name);
}

export function operatorOf(c: Context<AppEnv>, name: string): Operator {
	return { name, roles: c.get("platform").settings.ops.roles.get(name) ?? new Set() };
}

/** Compares with every token, each in constant time. Digests have one length, so none of a token's shows. */
export async function findToken(presented: string, tokens: readonly OpsToken[]): Promise<OpsToken | null> {
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(presented));
	const matching = tokens.filter((token) => crypto.subtle.timingSafeEqual(digest, token.digest));
	return matching[0] ?? null;
}
