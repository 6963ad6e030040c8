import type { Context } from "hono";
import type { Platform } from "../platform.ts";
import type { AppEnv } from "./app-env.ts";

/** The whole platform of a call, behind the middleware of `app.ts` that sets it. */
export function platformIn(c: Context<AppEnv>): Platform {
	return c.get("platform") as Platform;
}
