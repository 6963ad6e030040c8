import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { type KeyScope, permits } from "../domain/key-scopes.ts";
import { createApi } from "./api.ts";
import type { AppEnv } from "./app-env.ts";
import { authenticate, authenticateAnew } from "./authenticate.ts";
import { refuseLarge, takeBody } from "./body.ts";
import { errorAnswer } from "./errors.ts";

/**
 * Partners' calls behind the checks that come before each, always in this order: frozen (503, writes alone), declared size
 * of the body (413), address (429) and key (401), its scope (403), the body itself (413, 408).
 * @param calls - each declared by `partnerRoute`, whose `x-scope` and `x-body-max` are checked
 * @throws for a route that declares no scope
 */
export function checkBefore(calls: OpenAPIHono<AppEnv>): OpenAPIHono<AppEnv> {
	const declared = new Map(
		calls.openAPIRegistry.definitions.flatMap((definition) =>
			definition.type === "route" ? [[nameOf(definition.route), definition.route] as const] : [],
		),
	);
	const checked = createApi();
	const begun = new Set<string>();
	for (const { method, path, handler } of calls.routes) {
		const name = `${method} ${path}`;
		if (!begun.has(name))
			for (const check of checksOf(name, declared.get(name))) checked.on(method, path, check);
		begun.add(name);
		checked.on(method, path, handler);
	}
	return checked;
}

/** Names a route as Hono does: `GET /keys/:id`. */
function nameOf({ method, path }: RouteConfig): string {
	return `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
}

function checksOf(name: string, route: RouteConfig | undefined): MiddlewareHandler<AppEnv>[] {
	const scope: KeyScope | undefined = route?.["x-scope"];
	const bodyMax: number | undefined = route?.["x-body-max"];
	if (route === undefined || scope === undefined) throw new Error(`${name} declares no scope`);
	const reads = route.method === "get" || scope === "read";
	return [
		...(reads ? [] : [refuseWhileFrozen]),
		...(bodyMax === undefined ? [] : [refuseLarge(bodyMax)]),
		scope === "manage" ? authenticateAnew : authenticate,
		requireScope(scope, reads),
		...(bodyMax === undefined ? [] : [takeBody(bodyMax)]),
	];
}

/**
 * 403 for a valid key without the scope, before any part of the call is read or counted; 503 for a write of a partner whose
 * database alone is being restored.
 */
export function requireScope(scope: KeyScope, reads: boolean) {
	return createMiddleware<AppEnv>(async (c, next) => {
		const { scopes, isFrozen } = c.get("owner");
		if (!permits(scopes, { scope, reads })) return errorAnswer(c, "scope_required", { values: { scope } });
		return isFrozen && !reads ? frozenAnswer(c) : next();
	});
}

/** Seconds: a restore takes minutes to an hour. */
const FROZEN_RETRY_AFTER = 300;

/** 503 for every partner's write while `DB` is being restored, before any part of the call is read. */
export const refuseWhileFrozen = createMiddleware<AppEnv>(async (c, next) =>
	c.get("platform").settings.frozen ? frozenAnswer(c) : next(),
);

/** The answer to a write while its database is being restored. */
export function frozenAnswer(c: Context<AppEnv>): Response {
	c.header("Retry-After", String(FROZEN_RETRY_AFTER));
	return errorAnswer(c, "service_unavailable");
}
