import { Hono } from "hono";
import type { Bindings } from "../config.ts";
import { openDb } from "../db/query.ts";
import type { AppEnv } from "../http/app-env.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { askBucket } from "../secrets/bucket.ts";
import type { IssuingAuthority } from "../x509/issuing-authority.ts";
import { crlKey, describeCrl } from "./crl-store.ts";
import { isNotModified } from "./not-modified.ts";
import { refreshCrl } from "./refresh-crl.ts";
import { CACHED_MS } from "./validity.ts";

/** The CRL distribution point that leaves name (RFC 5280 §4.2.1.13). */
export const certificateRevocationList = new Hono<AppEnv>().get("/issuing.crl", async (c) => {
	const { authority } = c.get("platform");
	const key = crlKey(authority);
	const object = (await findCurrent(c.env, key)) ?? (await makeCurrent(c.env, authority, key));
	if (!object) return rejectionAnswer(c, { reason: "service_unavailable" });
	if (isNotModified(c.req.raw.headers, { etag: object.httpEtag, modified: describeCrl(object).thisUpdate }))
		return c.body(null, 304, cacheHeaders(object));
	if (c.req.method === "HEAD") return c.body(null, 200, allHeaders(object));
	// Another CRL may have taken its place since: what goes out is one object with its own headers.
	const whole = await askBucket(c.env.PKI.get(key));
	if (!whole) return rejectionAnswer(c, { reason: "service_unavailable" });
	return c.body(whole.body, 200, allHeaders(whole));
});

async function findCurrent({ PKI }: Bindings, key: string): Promise<R2Object | null> {
	const object = await askBucket(PKI.head(key));
	return object && describeCrl(object).nextUpdate > Date.now() ? object : null;
}

/** Before the first cron, and where none fires (wrangler dev), the caller's own wait makes the CRL. */
async function makeCurrent(
	env: Bindings,
	authority: IssuingAuthority,
	key: string,
): Promise<R2Object | null> {
	await refreshCrl({ db: openDb(env.DB), bucket: env.PKI, authority, clock: Date.now });
	return askBucket(env.PKI.head(key));
}

function cacheHeaders(object: R2Object): Record<string, string> {
	const { thisUpdate, nextUpdate } = describeCrl(object);
	const fresh = Math.max(0, Math.min(CACHED_MS, nextUpdate - Date.now()));
	return {
		"Cache-Control": `public, max-age=${Math.floor(fresh / 1000)}`,
		ETag: object.httpEtag,
		"Last-Modified": new Date(thisUpdate).toUTCString(),
	};
}

/** RFC 2585 §4.2. */
function allHeaders(object: R2Object): Record<string, string> {
	const { size } = object;
	return { ...cacheHeaders(object), "Content-Type": "application/pkix-crl", "Content-Length": String(size) };
}
