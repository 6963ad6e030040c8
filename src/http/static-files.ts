import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./app-env.ts";
import { isForPkiAlone } from "./plain-http.ts";

/**
 * A file of `public`, as the platform serves it: with the headers of `public/_headers` and no others. The Worker comes first
 * (wrangler.toml), so that a file is refused where every call but those of `/pki` is.
 */
export const staticFiles = createMiddleware<AppEnv>(async (c, next) => {
	if (isForPkiAlone(c)) return next();
	const file = await c.env.ASSETS.fetch(c.req.raw);
	return file.status === 404 ? next() : file;
});
