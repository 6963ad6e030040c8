/*
 * Cloudflare's price list, US$ for what goes beyond the Workers Paid plan's allotments (which are not deducted
 * anywhere here). As published on 21 November 2026 under https://developers.cloudflare.com/ at the pages named.
 */

export const PRICES = {
	/** workers/platform/pricing: Standard usage. Calls to a service binding and subrequests are not billed. */
	workerRequest: perMillion(0.3),
	workerCpuMs: perMillion(0.02),
	/** d1/platform/pricing */
	d1RowRead: perMillion(0.001),
	d1RowWritten: perMillion(1),
	d1GigabyteMonth: 0.75,
	/** durable-objects/platform/pricing: a call by RPC and an alarm are a request each; 128 MB while one runs. */
	objectRequest: perMillion(0.15),
	objectGigabyteSecond: perMillion(12.5),
	/** durable-objects/platform/pricing, SQLite storage: a key is a row, setting an alarm writes one. */
	objectRowRead: perMillion(0.001),
	objectRowWritten: perMillion(1),
	/** queues/platform/pricing: a message delivered is a write, a read and a delete. */
	queueOperation: perMillion(0.4),
	/** r2/pricing: class A writes, class B reads. */
	r2ClassA: perMillion(4.5),
	r2ClassB: perMillion(0.36),
	/** workers/observability/logs/workers-logs: a line of ours is an event. */
	logEvent: perMillion(0.6),
	/** analytics/analytics-engine/pricing */
	dataPoint: perMillion(0.25),
	/** email-service/platform/pricing */
	email: 0.35 / 1000,
} as const;

/** Gigabytes billed for an object's running second. */
export const OBJECT_GIGABYTES = 0.128;

function perMillion(dollars: number): number {
	return dollars / 1_000_000;
}
