import type { Context, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import ipaddr from "ipaddr.js";
import { MINUTE_MS } from "../domain/durations.ts";
import { BULK_CALLS_PER_MINUTE, CALLS_PER_MINUTE, SESSIONS_PER_MINUTE } from "../domain/limits.ts";
import type { AppEnv } from "./app-env.ts";
import { type ErrorAnswer, errorAnswer } from "./errors.ts";

/** The global type of the platform: here {@link RateLimit} is a limit of ours. */
type RateLimitBinding = AppEnv["Bindings"]["CALL_RATE"];

export interface Usage {
	admitted: boolean;
	remaining: number;
	resetMs: number;
}

export interface Policy {
	name: string;
	quota: number;
	windowMs: number;
}

interface CountedPolicy extends Policy {
	take(c: Context<AppEnv>): Promise<Usage>;
}

/** A limit on a partner's calls: its enforcement, and calls per minute. */
export interface RateLimit {
	middleware: MiddlewareHandler<AppEnv>;
	quota: number;
}

/** Approximate: counted by the platform's binding at each place. */
const BULK = approximatePolicy("bulk", BULK_CALLS_PER_MINUTE, (env) => env.BULK_RATE);
const CALLS = approximatePolicy("calls", CALLS_PER_MINUTE, (env) => env.CALL_RATE);

export const limitBulk = limit(BULK);
export const limitCalls = limit(CALLS);
export const limitSessions = limit(
	approximatePolicy("sessions", SESSIONS_PER_MINUTE, (env) => env.SESSION_RATE),
);

function limit(policy: CountedPolicy): RateLimit {
	const middleware = createMiddleware<AppEnv>(
		async (c, next) => answerUsage(c, policy, await policy.take(c)) ?? next(),
	);
	return { middleware, quota: policy.quota };
}

/**
 * RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers), which every answer of a limited call carries.
 * @returns 429 beyond the policy, or null.
 */
export function answerUsage(
	c: Context<AppEnv>,
	{ name, quota, windowMs }: Policy,
	{ admitted, remaining, resetMs }: Usage,
): ErrorAnswer<"rate_limit_exceeded"> | null {
	// Concurrent calls may read slightly different times: never more than the window.
	const seconds = Math.max(1, Math.ceil(Math.min(windowMs, resetMs) / 1000));
	c.header("RateLimit-Policy", `"${name}";q=${quota};w=${windowMs / 1000}`);
	c.header("RateLimit", `"${name}";r=${remaining};t=${seconds}`);
	if (admitted) return null;
	c.header("Retry-After", String(seconds));
	return errorAnswer(c, "rate_limit_exceeded", { values: { quota } });
}

/**
 * Counts a call at the platform's binding. Without a key, or where it cannot be counted, an approximate limit admits
 * the call; §8's own limit is exact and elsewhere.
 */
export async function admits(binding: RateLimitBinding, key: string | null): Promise<boolean> {
	if (key === null) return true;
	const { success } = await binding.limit({ key }).catch(() => ({ success: true }));
	return success;
}

/** 429 for an address that calls too often what needs no key, before D1 is read. */
export const limitAddress = createMiddleware<AppEnv>(async (c, next) => {
	if (await admits(c.env.ADDRESS_WIDGET_RATE, callerAddress(c))) return next();
	c.header("Retry-After", "60");
	return errorAnswer(c, "too_many_frame_calls");
});

/** The binding tells no remaining number; this isolate's own count is a hint, as the limit is approximate. */
function approximatePolicy(
	name: string,
	quota: number,
	binding: (env: AppEnv["Bindings"]) => RateLimitBinding,
): CountedPolicy {
	const tally = { windowEnds: 0, calls: new Map<string, number>() };
	const take = async (c: Context<AppEnv>): Promise<Usage> => {
		const { partnerId } = c.get("owner");
		const now = c.get("platform").clock();
		if (now >= tally.windowEnds) {
			tally.windowEnds = now + MINUTE_MS;
			tally.calls.clear();
		}
		const calls = (tally.calls.get(partnerId) ?? 0) + 1;
		tally.calls.set(partnerId, calls);
		const admitted = await admits(binding(c.env), partnerId);
		const remaining = admitted ? Math.max(0, quota - calls) : 0;
		return { admitted, remaining, resetMs: tally.windowEnds - now };
	};
	return { name, quota, windowMs: MINUTE_MS, take };
}

/** Bits of an IPv6 address that one customer of a provider is given. */
const NETWORK_PARTS = 64 / 16;

/**
 * Key of an address limit: the caller's IPv4 address, or its IPv6 network of 64 bits. Cloudflare sets the header and
 * takes it from no caller. Null without the header, on a developer's machine: no call is counted there.
 */
export function callerAddress(c: Context): string | null {
	const header = c.req.header("cf-connecting-ip") ?? "";
	if (!ipaddr.isValid(header)) return null;
	const address = ipaddr.process(header);
	if (address instanceof ipaddr.IPv4) return address.toString();
	return address.parts
		.slice(0, NETWORK_PARTS)
		.map((part) => part.toString(16))
		.join(":");
}
