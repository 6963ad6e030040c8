import type { DeliveryMessage, Platform } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { deliver } from "./deliver-claimed.ts";

/**
 * The queue's consumer. A message that was dealt with is acknowledged, whatever came of it: its successor is a new
 * message. Only when D1 is away does the queue itself repeat it, and after its retries the sweep takes over.
 */
export async function consumeDeliveries(
	batch: MessageBatch<DeliveryMessage>,
	platform: Platform,
): Promise<void> {
	await Promise.all(
		batch.messages.map(async (message) => {
			try {
				await deliver(platform, message.body.id);
				message.ack();
			} catch (error) {
				log("error", "delivery_not_settled", { delivery_id: message.body.id, ...describeError(error) });
				message.retry();
			}
		}),
	);
}
