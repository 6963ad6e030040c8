import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../../http/app-env.ts";

/**
 * Turns a refusal of the API into a page, so that consoles reuse the API's checks and `errorAnswer`.
 * @param show - the page that says it; one message for each detail, or the one of the whole.
 */
export function refusalsAsPages(
	show: (
		c: Context<AppEnv>,
		status: ContentfulStatusCode,
		messages: readonly string[],
	) => Response | Promise<Response>,
) {
	return createMiddleware<AppEnv>(async (c, next) => {
		await next();
		if (!c.res.headers.get("content-type")?.startsWith("application/json")) return;
		const refusal: { message: string; details?: { message: string }[] } = await c.res.clone().json();
		const said = refusal.details?.map(({ message }) => message) ?? [refusal.message];
		// The answer keeps its other headers: Retry-After, the limits.
		c.res = await show(c, c.res.status as ContentfulStatusCode, said);
	});
}
