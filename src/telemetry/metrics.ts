/*
 * Counters in Analytics Engine, where METRICS is bound. One layout for all points, so that one query reads them:
 *
 *   index1  partner id, or "-"
 *   blob1   name: request, lock, job …      blob2  outcome      blob3  subject: route pattern, job …
 *   blob4   reason, or ""
 *   double1 count     double2 duration     double3… durations of D1, object, registry, single sign-on, issuing
 *
 * Durations are milliseconds. docs/operators/incidents.md has the queries.
 */

import type { Timings } from "./timings.ts";

export interface Count {
	name: "request" | "lock" | "job" | "delivery";
	/** The result: a status class, an error code, "ok". */
	outcome: string;
	/** Route pattern, lock kind, job. */
	subject: string;
	reason?: string | undefined;
	partnerId?: string | undefined;
	n?: number;
	/** Milliseconds. */
	duration?: number;
	timings?: Timings;
}

/** Writes one point, if METRICS is bound. Never throws: a failing counter must not fail the call. */
export function count(dataset: AnalyticsEngineDataset | undefined, point: Count): void {
	const { timings = {} } = point;
	try {
		dataset?.writeDataPoint({
			indexes: [point.partnerId ?? "-"],
			blobs: [point.name, point.outcome, point.subject, point.reason ?? ""],
			doubles: [
				point.n ?? 1,
				point.duration ?? 0,
				timings.d1 ?? 0,
				timings.object ?? 0,
				timings.registry ?? 0,
				timings.sso ?? 0,
				timings.issue ?? 0,
			],
		});
	} catch {}
}
