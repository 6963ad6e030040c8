import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { matchedRoutes, routePath } from "hono/route";
import { log } from "../telemetry/log.ts";
import { count } from "../telemetry/metrics.ts";
import { collectTimings, type Timings } from "../telemetry/timings.ts";
import type { AppEnv } from "./app-env.ts";

const SERVER_ERROR = 500;

/**
 * One log line and one counted point per call. The line names the route by its pattern and never holds the path,
 * a query, a header or a field: those are the caller's values. `Server-Timing` outside prod.
 */
export const observeRequests = createMiddleware<AppEnv>(async (c, next) => {
	const start = performance.now();
	const timings: Timings = {};
	await collectTimings(timings, next);
	const duration = performance.now() - start;
	if (c.env.ENVIRONMENT !== "prod") c.header("Server-Timing", serverTiming(timings, duration));

	const { status } = c.res;
	const route = patternOf(c);
	const owner = c.get("owner");
	const refusal = c.get("refusal");
	log(status >= SERVER_ERROR ? "error" : "info", "request", {
		request_id: c.get("requestId"),
		method: c.req.method,
		route,
		partner_id: owner?.partnerId,
		key_id: owner?.keyId,
		status,
		error: refusal?.error,
		reason: refusal?.reason,
		replayed: c.res.headers.has("Idempotency-Replayed") || undefined,
		duration_ms: tenths(duration),
		...Object.fromEntries(Object.entries(timings).map(([part, ms]) => [`${part}_ms`, tenths(ms)])),
	});
	count(c.env.METRICS, {
		name: "request",
		outcome: refusal?.error ?? `${Math.floor(status / 100)}xx`,
		subject: `${c.req.method} ${route}`,
		reason: refusal?.reason,
		partnerId: owner?.partnerId,
		duration,
		timings,
	});
});

/** The pattern of the route that answered, `-` without one. */
function patternOf(c: Context<AppEnv>): string {
	const answered = routePath(c);
	if (!answered.includes("*")) return answered;
	return matchedRoutes(c).find(({ path }) => !path.includes("*"))?.path ?? "-";
}

/** W3C Server Timing §3: durations in milliseconds. */
function serverTiming(timings: Timings, total: number): string {
	return Object.entries({ ...timings, total })
		.map(([part, ms]) => `${part};dur=${tenths(ms)}`)
		.join(", ");
}

function tenths(milliseconds: number): number {
	return Math.round(milliseconds * 10) / 10;
}
