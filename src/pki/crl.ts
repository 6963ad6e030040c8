import { type Context, Hono } from "hono";
import type { AppEnv } from "../http/app-env.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import type { Platform, PublishedAuthority } from "../platform.ts";
import { askBucket } from "../secrets/bucket.ts";
import { isNotModified } from "./not-modified.ts";
import { crlKey, describeCrl, refreshCrl } from "./publish-crl.ts";
import { CACHED_MS } from "./validity.ts";

/**
 * The CRL distribution points that leaves name (RFC 5280 §4.2.1.13). `issuing.crl` stands in leaves of before the key
 * identifiers: the oldest authority signed those.
 */
export const certificateRevocationList = new Hono<AppEnv>()
	.get("/issuing.crl", (c) => answerCrl(c, platformIn(c).authorities[0]!))
	.get("/:keyId/crl", async (c) => {
		const authority = platformIn(c).authorities.find(({ keyId }) => keyId === c.req.param("keyId"));
		return authority ? answerCrl(c, authority) : errorAnswer(c, "not_found");
	});

async function answerCrl(c: Context<AppEnv>, authority: PublishedAuthority): Promise<Response> {
	const platform = platformIn(c);
	const object = (await findCurrent(platform, authority)) ?? (await makeCurrent(platform, authority));
	if (!object) return rejectionAnswer(c, { reason: "service_unavailable" });
	if (isNotModified(c.req.raw.headers, { etag: object.httpEtag, modified: describeCrl(object).thisUpdate }))
		return c.body(null, 304, cacheHeaders(object, platform.clock()));
	if (c.req.method === "HEAD") return c.body(null, 200, allHeaders(object, platform.clock()));
	// Another CRL may have taken its place since: what goes out is one object with its own headers.
	const whole = await askBucket(platform.pki.get(crlKey(authority)));
	if (!whole) return rejectionAnswer(c, { reason: "service_unavailable" });
	return c.body(whole.body, 200, allHeaders(whole, platform.clock()));
}

async function findCurrent(
	{ pki, clock }: Platform,
	authority: PublishedAuthority,
): Promise<R2Object | null> {
	const object = await askBucket(pki.head(crlKey(authority)));
	return object && describeCrl(object).nextUpdate > clock() ? object : null;
}

/** Before the first cron, and where none fires (wrangler dev), the caller's own wait makes the CRL. */
async function makeCurrent(
	platform: Platform,
	{ signer, ...authority }: PublishedAuthority,
): Promise<R2Object | null> {
	if (!signer) return null;
	await refreshCrl({ ...platform, authority: { ...authority, signer } });
	return askBucket(platform.pki.head(crlKey(authority)));
}

function cacheHeaders(object: R2Object, now: number): Record<string, string> {
	const { thisUpdate, nextUpdate } = describeCrl(object);
	const fresh = Math.max(0, Math.min(CACHED_MS, nextUpdate - now));
	return {
		"Cache-Control": `public, max-age=${Math.floor(fresh / 1000)}`,
		ETag: object.httpEtag,
		"Last-Modified": new Date(thisUpdate).toUTCString(),
	};
}

/** RFC 2585 §4.2. */
function allHeaders(object: R2Object, now: number): Record<string, string> {
	const { size } = object;
	return {
		...cacheHeaders(object, now),
		"Content-Type": "application/pkix-crl",
		"Content-Length": String(size),
	};
}
