import { Hono } from "hono";
import type { AppEnv } from "../../http/app-env.ts";
import { STYLE, STYLE_NAME } from "./style.ts";

/** The style sheet of the pages. Its name has its hash, so a browser asks once. */
export const styleSheet: Hono<AppEnv> = new Hono<AppEnv>().get(
	"/assets/:name{pages-[0-9a-f]{16}\\.css}",
	(c) => {
		// While versions change over, a page of one may ask the other: it gets what there is, for now.
		const isThis = c.req.param("name") === STYLE_NAME;
		if (isThis) c.header("Cache-Control", "public, max-age=31536000, immutable");
		return c.body(STYLE, 200, { "Content-Type": "text/css; charset=utf-8" });
	},
);
