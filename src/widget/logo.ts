import { findLogo } from "../db/widget-logos.ts";
import { createApi } from "../http/api.ts";
import { errorAnswer } from "../http/errors.ts";
import { limitFrameCalls } from "./require-session.ts";

/** A partner's logo, for its widget. Its address has its hash: what is there never changes. */
export const widgetLogo = createApi();

widgetLogo.get("/widget/logos/:partner/:hash", limitFrameCalls, async (c) => {
	const { partner, hash } = c.req.param();
	const logo = await findLogo(c.get("platform").db, partner, hash);
	if (!logo) return errorAnswer(c, "not_found");
	return c.body(logo.content as Uint8Array<ArrayBuffer>, 200, {
		"Content-Type": logo.mediaType,
		"Cache-Control": "public, max-age=31536000, immutable",
		"Content-Security-Policy": "default-src 'none'; sandbox",
	});
});
