import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./app-env.ts";
import { errorAnswer } from "./errors.ts";

/** Seconds. A restore takes minutes to an hour. */
const RETRY_AFTER = 300;

/** A partner's write while D1 is being restored: 503, before anything of the call is read. */
export const refuseWhileFrozen = createMiddleware<AppEnv>(async (c, next) => {
	if (!c.get("platform").settings.frozen) return next();
	c.header("Retry-After", String(RETRY_AFTER));
	return errorAnswer(c, "service_unavailable");
});
