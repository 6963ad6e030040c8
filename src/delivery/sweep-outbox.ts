import { eraseDeadPayloads, takeOverdue } from "../db/outbox-register.ts";
import type { Platform } from "../platform.ts";
import { log } from "../telemetry/log.ts";
import { enqueue } from "./enqueue.ts";

/** A message is given this long to arrive before it counts as lost, and a swept one before it is swept again. */
const GRACE_MS = 30_000;
const AGAIN_AFTER_MS = 10 * 60_000;
const SWEEP_MAX = 1_000;

/**
 * For the cron: enqueues what is overdue (the crash came between commit and enqueue, or the message was lost) and
 * erases the payloads of dead letters whose seven days are over.
 */
export async function sweepOutbox(platform: Platform): Promise<{ enqueued: number; erased: number }> {
	const { db, clock } = platform;
	const now = clock();
	const overdue = await takeOverdue(db, {
		now,
		graceMs: GRACE_MS,
		againAfterMs: AGAIN_AFTER_MS,
		limit: SWEEP_MAX,
	});
	await enqueue(
		platform,
		overdue.map((id) => ({ id, at: now })),
	);
	const erased = await eraseDeadPayloads(db, now);
	if (overdue.length > 0 || erased > 0) log("info", "outbox_swept", { enqueued: overdue.length, erased });
	return { enqueued: overdue.length, erased };
}
