import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { EMISSION_LIMIT, EMISSION_WINDOW_MS } from "../../../domain/limits.ts";
import type { AppEnv } from "../../../http/app-env.ts";
import type { ErrorAnswer } from "../../../http/errors.ts";
import { answerUsage, type Policy, type RateLimit } from "../../../http/rate-limit.ts";
import type { EmissionAnswer } from "../../../objects/partner-rpc.ts";
import type { Replayable, RequestAnswer, RequestCall } from "../../../objects/rpc.ts";
import { callPartner, takeHandedOn } from "../../../objects/stubs.ts";

/*
 * §8's limit: exact, counted by the partner's object. A certificate_request is counted and passed on in one call of
 * that object, so that a caller far away waits for one long trip; a malformed one is counted afterwards.
 */

const POLICY: Policy = { name: "emission", quota: EMISSION_LIMIT, windowMs: EMISSION_WINDOW_MS };

/** End of the wait of partners over their rate: this isolate refuses their calls before parsing. */
const refusedUntil = new Map<string, number>();

const middleware = createMiddleware<AppEnv>(async (c, next) => {
	const { partnerId } = c.get("owner");
	const resetMs = (refusedUntil.get(partnerId) ?? 0) - c.get("platform").clock();
	if (resetMs > 0) return answerUsage(c, POLICY, { admitted: false, remaining: 0, resetMs })!;
	refusedUntil.delete(partnerId);
	await next();
	if (c.get("isCounted")) return;
	const refusal = answerUsage(c, POLICY, await count(c));
	if (refusal) c.res = refusal;
});

export const limitEmissions: RateLimit = { middleware, quota: EMISSION_LIMIT };

/** Takes a well-shaped certificate_request to its code's object, unless the partner is over its rate. */
export async function requestWithinLimit(
	c: Context<AppEnv>,
	request: RequestCall,
): Promise<Replayable<RequestAnswer> | ErrorAnswer<"rate_limit_exceeded">> {
	const { reply, ...usage } = await count(c, request);
	const refusal = answerUsage(c, POLICY, usage);
	if (refusal) return refusal;
	return takeHandedOn(reply!);
}

async function count(c: Context<AppEnv>, request?: RequestCall): Promise<EmissionAnswer> {
	c.set("isCounted", true);
	const { partnerId } = c.get("owner");
	const platform = c.get("platform");
	const answer = await callPartner(platform, partnerId, (object) => object.admitEmission(request));
	if (!answer.admitted) refusedUntil.set(partnerId, platform.clock() + answer.resetMs);
	return answer;
}
