import type { Context } from "hono";
import type { ChangeOrigin } from "../db/audit-events.ts";
import type { AppEnv } from "../http/app-env.ts";

/** Who makes the change, as the audit names them: `partner:<key id>`. */
export function originOf(c: Context<AppEnv>): ChangeOrigin {
	return {
		actor: `partner:${c.get("owner").keyId}`,
		requestId: c.get("requestId"),
		now: c.get("platform").clock(),
	};
}
