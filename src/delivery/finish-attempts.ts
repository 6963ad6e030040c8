import { switchWebhookOff } from "../db/change-partner.ts";
import { askBatch } from "../db/query.ts";
import type { Platform } from "../platform.ts";
import { count } from "../telemetry/metrics.ts";
import { settleAttempt } from "./attempt-delivery.ts";
import { enqueue } from "./enqueue.ts";
import type { OwedDelivery } from "./outbox.ts";
import { labelOf, type Outcome } from "./outcome.ts";

/**
 * Writes down how attempts ended, enqueues what is to be tried again, and switches off an endpoint that is gone.
 * @throws {Unavailable} with the rows still claimed: they are tried again when the claim is over.
 */
export async function finishAttempts(
	platform: Platform,
	attempts: readonly { delivery: OwedDelivery; outcome: Outcome }[],
): Promise<void> {
	const now = platform.clock();
	const settled = attempts.map(({ delivery, outcome }) => ({
		id: delivery.id,
		...settleAttempt(platform.db, delivery, outcome, now),
	}));
	await askBatch(
		platform.db,
		settled.map(({ statement }) => statement),
	);
	await enqueue(
		platform,
		settled.flatMap(({ id, nextAttemptAt }) => (nextAttemptAt === null ? [] : [{ id, at: nextAttemptAt }])),
	);
	for (const { delivery, outcome } of attempts) {
		const { partnerId, channel } = delivery;
		count(platform.metrics, {
			name: "delivery",
			outcome: outcome.kind,
			subject: channel,
			reason: labelOf(outcome),
			partnerId,
		});
		if (outcome.kind !== "gone") continue;
		const origin = { actor: "job:delivery" as const, requestId: `delivery-${delivery.id}`, now };
		await switchWebhookOff(platform.db, delivery.partnerId, outcome.url, origin);
	}
}
