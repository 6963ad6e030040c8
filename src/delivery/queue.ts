import { eraseDeadPayloads, takeOverdue } from "../db/outbox.ts";
import { askEach } from "../directory.ts";
import { MINUTE_MS } from "../domain/durations.ts";
import type { DeliveryMessage, Platform } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";

/** Longest delay of a queue message; later deliveries wait for the sweep. Seconds. */
const QUEUE_DELAY_MAX = 12 * 60 * 60;
const BATCH_MAX = 100;

/** Time for a message to arrive before it counts as lost, and for a swept row before it is swept again. */
const GRACE_MS = 30_000;
const AGAIN_AFTER_MS = 10 * MINUTE_MS;
const SWEEP_MAX = 1_000;

/** Queues deliveries of a partner that are due. */
export function enqueue(
	platform: Pick<Platform, "deliveries">,
	partnerId: string,
	ids: readonly string[],
): Promise<void> {
	return enqueueLater(
		platform,
		ids.map((id) => ({ partnerId, id, inMs: 0 })),
	);
}

/**
 * Queues deliveries for their due time. A message that cannot be sent is only logged, because the sweep finds the row.
 */
export async function enqueueLater(
	{ deliveries }: Pick<Platform, "deliveries">,
	due: readonly (DeliveryMessage & { inMs: number })[],
): Promise<void> {
	const messages = due
		.map(({ partnerId, id, inMs }) => ({
			body: { partnerId, id },
			delaySeconds: Math.max(0, Math.ceil(inMs / 1000)),
		}))
		.filter(({ delaySeconds }) => delaySeconds <= QUEUE_DELAY_MAX);
	for (let i = 0; i < messages.length; i += BATCH_MAX) {
		try {
			await deliveries.sendBatch(messages.slice(i, i + BATCH_MAX));
		} catch (error) {
			log("error", "enqueue_failed", describeError(error));
		}
	}
}

/**
 * Queues overdue rows (a crash between commit and enqueue, or a lost message) and erases the payloads of dead letters
 * whose seven days are over; the cron calls it.
 * @param of - limits it to one partner, by its clock
 * @throws {Unavailable}
 */
export async function sweepOutbox(
	platform: Platform,
	of?: { partnerId: string; now: number },
): Promise<void> {
	const now = of?.now ?? platform.clock();
	const { answers } = await askEach(platform, async ({ db }) => {
		const overdue = await takeOverdue(db, {
			now,
			graceMs: GRACE_MS,
			againAfterMs: AGAIN_AFTER_MS,
			limit: SWEEP_MAX,
			...(of && { partnerId: of.partnerId }),
		});
		await enqueueLater(
			platform,
			overdue.map((delivery) => ({ ...delivery, inMs: 0 })),
		);
		return { enqueued: overdue.length, erased: await eraseDeadPayloads(db, now, of?.partnerId ?? null) };
	});
	for (const swept of answers) if (swept.enqueued > 0 || swept.erased > 0) log("info", "outbox_swept", swept);
}
