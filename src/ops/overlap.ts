import { z } from "@hono/zod-openapi";

/** How long a secret that ops rotate is good beside its successor. */
const OVERLAP_HOURS = 24;
const OVERLAP_HOURS_MAX = 168;
const HOUR_MS = 3_600_000;

export const overlapHours = z
	.int("overlapHours")
	.min(0, "overlapHours")
	.max(OVERLAP_HOURS_MAX, "overlapHours")
	.optional()
	.openapi({ description: `Hours, ${OVERLAP_HOURS} if not given; 0 after a leak.` });

/** When the old secret ends. @param now - epoch milliseconds. */
export function endOfOverlap(now: number, hours = OVERLAP_HOURS): number {
	return now + hours * HOUR_MS;
}
