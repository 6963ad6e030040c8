import type { Context } from "hono";
import { clock } from "../clock.ts";
import type { AppEnv } from "../http/app-env.ts";
import { CACHED_MS } from "./validity.ts";

/*
 * Public answers, kept in the cache of the data centre, so that a stranger's call costs neither D1 nor R2 nor a
 * signature. Facts read at a time are given for CACHED_MS from then on, by this cache and those after it together, so
 * that a revocation shows everywhere by then.
 */

/** Header with the time at which the answer's facts were read, epoch milliseconds. */
const READ_AT = "x-read-at";

export interface KeptAnswer {
	response: Response;
	/** Epoch milliseconds before the answer's facts were read. */
	readAt: number;
}

/** @param name - of the question, safe in a URL's path */
export async function findKept(c: Context<AppEnv>, name: string): Promise<KeptAnswer | null> {
	const response = await caches.default.match(addressOf(c, name));
	const readAt = Number(response?.headers.get(READ_AT));
	return response && freshFor(readAt) > 0 ? { response, readAt } : null;
}

/** Keeps the answer, after this call's own has gone out. */
export function keep(c: Context<AppEnv>, name: string, { response, readAt }: KeptAnswer): void {
	const kept = new Response(response.body, response);
	kept.headers.set(READ_AT, String(readAt));
	kept.headers.set("Cache-Control", `public, max-age=${CACHED_MS / 1000}`);
	c.executionCtx.waitUntil(caches.default.put(addressOf(c, name), kept).catch(() => undefined));
}

/** Computes how long an answer read then may be given, in milliseconds. */
export function freshFor(readAt: number): number {
	const age = clock() - readAt;
	return age < 0 ? 0 : Math.max(0, CACHED_MS - age);
}

/** A cache takes addresses of the Worker's own host. No caller reaches it: the Worker answers first. */
function addressOf(c: Context<AppEnv>, name: string): string {
	return `${c.env.PKI_URL}/kept/${name}`;
}
