import { createMiddleware } from "hono/factory";
import { hashApiKey, isApiKey, type KeyEnvironment } from "../secrets/api-key.ts";
import type { AppEnv } from "./app-env.ts";
import { errorAnswer } from "./errors.ts";
import { lookUpKey } from "./key-look-up.ts";

/**
 * §5: the partner whose key the call carries in `x-gw`. Every invalid key gets the same answer, unless its address has
 * presented too many unknown ones; a malformed key is never looked up.
 */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
	const key = c.req.header("x-gw") ?? "";
	const environment = keyEnvironment(c.get("platform").settings.environment);
	if (!(await isApiKey(key, environment))) return errorAnswer(c, "unauthorized");
	const found = await lookUpKey(c, await hashApiKey(key));
	if (found.kind === "unknown") return errorAnswer(c, "unauthorized");
	if (found.kind === "refused") {
		c.header("Retry-After", String(Math.ceil(found.retryAfterMs / 1000)));
		return errorAnswer(c, "too_many_unknown_keys");
	}
	c.set("owner", found.owner);
	await next();
});

/** Keys of a developer's machine are dev keys. */
export function keyEnvironment(environment: "local" | "dev" | "prod"): KeyEnvironment {
	return environment === "prod" ? "prod" : "dev";
}
