import { findLogo } from "../db/widget.ts";
import { findHome } from "../directory.ts";
import { createApi } from "../http/api.ts";
import { errorAnswer } from "../http/errors.ts";
import { limitAddress } from "../http/rate-limit.ts";
import { EMBED_SCRIPT, EMBED_TYPES } from "./built-page.ts";

/** Script that a partner's page loads, and its types. */
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

/** A partner's logo, for its widget. Its address has its hash, so its content never changes. */
export const widgetLogo = createApi();

widgetLogo.get("/widget/logos/:partner/:hash", limitAddress, async (c) => {
	const { partner, hash } = c.req.param();
	const home = await findHome(c.get("platform"), partner);
	const logo = home && (await findLogo(home.db, partner, hash));
	if (!logo) return errorAnswer(c, "not_found");
	return c.body(logo.content as Uint8Array<ArrayBuffer>, 200, {
		"Content-Type": logo.mediaType,
		"Cache-Control": "public, max-age=31536000, immutable",
		"Content-Security-Policy": "default-src 'none'; sandbox",
	});
});
