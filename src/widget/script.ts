import { createApi } from "../http/api.ts";
import { EMBED_SCRIPT, EMBED_TYPES } from "./built-page.ts";

/** What a partner's page loads, and the types of it. */
export const widgetScript = createApi();

widgetScript.get("/widget/v1.js", (c) => {
	const { origin } = new URL(c.env.PUBLIC_URL);
	return c.body(EMBED_SCRIPT.replaceAll("{FRAME_ORIGIN}", origin), 200, {
		"content-type": "text/javascript; charset=utf-8",
	});
});

widgetScript.get("/widget/v1.d.ts", (c) =>
	c.body(EMBED_TYPES, 200, { "content-type": "text/plain; charset=utf-8" }),
);
