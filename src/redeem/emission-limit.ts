import { EMISSION_LIMIT, EMISSION_WINDOW_MS } from "../domain/limits.ts";
import { platformIn } from "../http/platform-in.ts";
import { limit } from "../http/rate-limit.ts";
import { callPartner } from "../objects/stubs.ts";

/** §8: exact, counted by the partner's object. */
export const limitEmissions = limit({
	name: "emission",
	quota: EMISSION_LIMIT,
	windowMs: EMISSION_WINDOW_MS,
	take: (c) => callPartner(platformIn(c), c.get("owner").partnerId, (object) => object.admitEmission()),
});
