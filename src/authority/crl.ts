import { Hono } from "hono";
import { openRegister } from "../db/register.ts";
import type { AppEnv } from "../http/app-env.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { crlKey, describeCrl } from "./crl-store.ts";
import { isNotModified } from "./not-modified.ts";
import { refreshCrl } from "./refresh-crl.ts";
import { CACHED_MS } from "./validity.ts";

/** The CRL distribution point that leaves name (RFC 5280 §4.2.1.13). */
export const certificateRevocationList = new Hono<AppEnv>().get("/issuing.crl", async (c) => {
	const { authority } = c.get("platform");
	const bucket = c.env.PKI;
	const key = crlKey(authority);
	let object = await bucket.get(key);
	// Before the first cron, and where none fires (wrangler dev), the caller's own wait makes the CRL.
	if (!object || describeCrl(object).nextUpdate <= Date.now()) {
		await object?.body.cancel();
		await refreshCrl({ register: openRegister(c.env.DB), bucket, authority, clock: Date.now });
		object = await bucket.get(key);
	}
	if (!object) return rejectionAnswer(c, { reason: "service_unavailable" });

	const { thisUpdate, nextUpdate } = describeCrl(object);
	const seconds = Math.max(0, Math.floor(Math.min(CACHED_MS, nextUpdate - Date.now()) / 1000));
	c.header("Cache-Control", `public, max-age=${seconds}`);
	c.header("ETag", object.httpEtag);
	c.header("Last-Modified", new Date(thisUpdate).toUTCString());
	if (isNotModified(c.req.raw.headers, { etag: object.httpEtag, modified: thisUpdate })) {
		await object.body.cancel();
		return c.body(null, 304);
	}
	// RFC 2585 §4.2.
	const headers = { "Content-Type": "application/pkix-crl", "Content-Length": String(object.size) };
	if (c.req.method !== "HEAD") return c.body(object.body, 200, headers);
	await object.body.cancel();
	return c.body(null, 200, headers);
});
