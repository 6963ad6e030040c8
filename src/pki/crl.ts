import { type Context, Hono } from "hono";
import { clock } from "../clock.ts";
import type { AppEnv } from "../http/app-env.ts";
import { errorAnswer } from "../http/errors.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import type { Platform, PublishedAuthority } from "../platform.ts";
import { findKept, freshFor, type KeptAnswer, keep } from "./kept-answers.ts";
import { refreshCrl } from "./publish-crl.ts";
import { crlKey, describeCrl } from "./published-crl.ts";
import { CACHED_MS } from "./validity.ts";

/** The CRL distribution points that leaves name (RFC 5280 §4.2.1.13). */
export const certificateRevocationList = new Hono<AppEnv>().get("/:keyId/crl", async (c) => {
	const authority = c.get("platform").authorities.find(({ keyId }) => keyId === c.req.param("keyId"));
	return authority ? answerCrl(c, authority) : errorAnswer(c, "not_found");
});

async function answerCrl(c: Context<AppEnv>, authority: PublishedAuthority): Promise<Response> {
	const name = `crl/${authority.keyId}`;
	const kept = await findKept(c, name);
	if (kept) return give(c, kept);
	const readAt = clock();
	const object = await findPublished(c.get("platform"), authority);
	if (!object) return rejectionAnswer(c, { reason: "service_unavailable" });
	const response = new Response(object.body, { headers: headersOf(object) });
	keep(c, name, { response: response.clone(), readAt });
	return give(c, { response, readAt });
}

function give(c: Context<AppEnv>, { response, readAt }: KeptAnswer): Response {
	const { headers, body } = response;
	for (const name of ["ETag", "Last-Modified"]) c.header(name, headers.get(name) ?? "");
	c.header("Cache-Control", `public, max-age=${Math.floor(freshFor(readAt) / 1000)}`);
	const etag = headers.get("ETag") ?? "";
	const modified = Date.parse(headers.get("Last-Modified") ?? "");
	if (isNotModified(c.req.raw.headers, { etag, modified })) return c.body(null, 304);
	for (const name of ["Content-Type", "Content-Length"]) c.header(name, headers.get(name) ?? "");
	return c.req.method === "HEAD" || !body ? c.body(null, 200) : c.body(body, 200);
}

/**
 * The published CRL, if it holds for as long as caches keep it. Where crons fail, and before the first one, the caller's
 * own wait makes it.
 */
async function findPublished(
	platform: Platform,
	{ signer, ...authority }: PublishedAuthority,
): Promise<R2ObjectBody | null> {
	const key = crlKey(authority);
	const findCurrent = async () => {
		const object = await platform.pki.get(key);
		return object && describeCrl(object).nextUpdate > platform.clock() + CACHED_MS ? object : null;
	};
	const published = await findCurrent();
	if (published || !signer) return published;
	await refreshCrl({ ...platform, authority: { ...authority, signer } });
	return findCurrent();
}

/** RFC 2585 §4.2. */
function headersOf(object: R2ObjectBody): Record<string, string> {
	return {
		"Content-Type": "application/pkix-crl",
		"Content-Length": String(object.size),
		ETag: object.httpEtag,
		"Last-Modified": new Date(describeCrl(object).thisUpdate).toUTCString(),
	};
}

/**
 * Whether the caller has this representation already (RFC 9110 §13.1): If-None-Match decides when it is there,
 * If-Modified-Since otherwise.
 *
 * @param etag - with its quotes
 * @param modified - epoch milliseconds of a whole second
 */
function isNotModified(headers: Headers, { etag, modified }: { etag: string; modified: number }): boolean {
	const tags = headers.get("if-none-match");
	if (tags !== null) {
		return tags.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
	}
	const since = Date.parse(headers.get("if-modified-since") ?? "");
	return !Number.isNaN(since) && modified <= since;
}
