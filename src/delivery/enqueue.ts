import type { Platform } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";

/** Longest delay of a queue message; what is due later waits for the sweep. Seconds. */
const QUEUE_DELAY_MAX = 12 * 60 * 60;
const BATCH_MAX = 100;

/**
 * Puts deliveries into the queue for when they are due. A message that cannot be sent is only reported: the row is
 * there, and the sweep finds it.
 */
export async function enqueue(
	{ deliveries, clock }: Pick<Platform, "deliveries" | "clock">,
	due: readonly { id: string; at: number }[],
): Promise<void> {
	const messages = due
		.map(({ id, at }) => ({ body: { id }, delaySeconds: Math.max(0, Math.ceil((at - clock()) / 1000)) }))
		.filter(({ delaySeconds }) => delaySeconds <= QUEUE_DELAY_MAX);
	for (let i = 0; i < messages.length; i += BATCH_MAX) {
		try {
			await deliveries.sendBatch(messages.slice(i, i + BATCH_MAX));
		} catch (error) {
			log("error", "enqueue_failed", describeError(error));
		}
	}
}
