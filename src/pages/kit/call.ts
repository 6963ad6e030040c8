import type { Context } from "hono";
import type { AppEnv } from "../../http/app-env.ts";

/** A call of a console's page. */
export type Call = Context<AppEnv>;
