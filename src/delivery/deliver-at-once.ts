import type { Platform } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { attemptDelivery, type Endpoint } from "./attempt-delivery.ts";
import { finishAttempts } from "./finish-attempts.ts";
import type { OwedDelivery } from "./outbox.ts";
import { failed, type Outcome } from "./outcome.ts";
import { FIRST_ATTEMPT_MS } from "./send-webhook.ts";

/**
 * The first attempts, inside the call that issued (§3.3, §6): all at once, each 5 s at most, after the commit and
 * before the answer. Nothing that goes wrong here reaches the caller, and the book-keeping is left to `later`.
 * @param deliveries - born claimed by the commit: nobody else tries them meanwhile.
 */
export async function deliverAtOnce(
	platform: Platform,
	deliveries: readonly OwedDelivery[],
	endpoint: Endpoint,
	later: (work: Promise<unknown>) => void,
): Promise<void> {
	const attempts = await Promise.all(
		deliveries.map(async (delivery) => ({
			delivery,
			outcome: await attemptDelivery(platform, delivery, endpoint, FIRST_ATTEMPT_MS).catch(broken),
		})),
	);
	later(finishAttempts(platform, attempts));
}

/** A bug or a lost key: the call goes on, the retries will meet it where it is seen. */
function broken(error: unknown): Outcome {
	log("error", "delivery_broken", describeError(error));
	return failed("internal error");
}
