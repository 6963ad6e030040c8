import {
	claimDelivery,
	markDead,
	markDelivered,
	markFailed,
	type OutboxRow,
	partnerOf,
} from "../db/outbox.ts";
import { type PartnerRow, selectPartner, switchWebhookOff } from "../db/partners.ts";
import { batch, type Db, type Statement } from "../db/query.ts";
import { secretPlace, selectWebhookSecrets, type WebhookSecretRow } from "../db/webhook-secrets.ts";
import type { DeliveryMessage, Platform } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { count } from "../telemetry/metrics.ts";
import { sendEmail } from "./email.ts";
import { judgeOutboundUrl } from "./outbound-url.ts";
import { type Delivery, payloadPlace, recipientPlace } from "./outbox.ts";
import { failed, labelOf, type Outcome } from "./outcome.ts";
import { enqueue } from "./queue.ts";
import { ATTEMPT_LEASE_MS, eraseTime, MAX_ATTEMPTS, nextAttempt, RETRY_DELAYS_MS } from "./retry-schedule.ts";
import { sendWebhook } from "./webhook.ts";

/** Limit of an attempt inside the call that issued, and of one from the queue. Milliseconds. */
const FIRST_ATTEMPT_MS = 5_000;
const RETRY_ATTEMPT_MS = 20_000;

/** After a crash an attempt is repeated when the schedule says, and not before its lease has ended. */
const LEASES_MS = [...RETRY_DELAYS_MS.map((delay) => Math.max(delay, ATTEMPT_LEASE_MS)), ATTEMPT_LEASE_MS];

/** A partner's webhook as D1 has it now. */
export interface Endpoint {
	partner: Pick<PartnerRow, "webhookUrl" | "webhookOffAt">;
	secrets: readonly WebhookSecretRow[];
}

interface Attempt {
	delivery: Delivery;
	outcome: Outcome;
}

/**
 * The first attempts, inside the call that issued (§3.3, §6): in parallel, 5 s at most, after the commit and before
 * the answer. No failure reaches the caller; `later` records the outcomes.
 * @param deliveries - created with this call's lease: nothing else tries them meanwhile.
 */
export async function deliverAtOnce(
	platform: Platform,
	deliveries: readonly Delivery[],
	endpoint: Endpoint,
	later: (work: Promise<unknown>) => void,
): Promise<void> {
	const attempts = await Promise.all(
		deliveries.map(async (delivery) => ({
			delivery,
			outcome: await attempt(platform, delivery, endpoint, FIRST_ATTEMPT_MS).catch(broken),
		})),
	);
	later(finish(platform, attempts));
}

/** A bug or a lost key: the retries meet it again, outside the caller's call. */
function broken(error: unknown): Outcome {
	log("error", "delivery_broken", describeError(error));
	return failed("internal error");
}

/**
 * The queue's consumer. A message is acknowledged after every outcome: the next attempt is a new message. The queue
 * repeats a message only while D1 is unavailable; after its retries the sweep takes over.
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
				log("error", "delivery_not_finished", { delivery_id: message.body.id, ...describeError(error) });
				message.retry();
			}
		}),
	);
}

/** Tries one delivery, if it is due and not being tried. @throws {Unavailable}; it is tried again after its lease. */
async function deliver(platform: Platform, id: string): Promise<void> {
	const claimed = await claim(platform, id);
	if (claimed === null) return;
	const { row, endpoint } = claimed;
	const delivery = await open(platform, row).catch(() => null);
	const outcome = delivery ? await tryAgain(platform, delivery, endpoint) : payloadLost(row);
	await finish(platform, [{ delivery: delivery ?? unopened(row), outcome }]);
}

async function claim(
	{ db, clock }: Platform,
	id: string,
): Promise<{ row: OutboxRow; endpoint: Endpoint } | null> {
	const partnerId = partnerOf(id);
	const now = clock();
	const {
		row: [row],
		partner: [partner],
		secrets,
	} = await batch(db, {
		row: claimDelivery(db, { id, now, leases: LEASES_MS }),
		partner: selectPartner(db, partnerId),
		secrets: selectWebhookSecrets(db, partnerId, now),
	});
	return row && partner ? { row, endpoint: { partner, secrets } } : null;
}

async function open({ sealer }: Platform, row: OutboxRow): Promise<Delivery> {
	const { id, recipientSealed, payloadSealed } = row;
	if (payloadSealed === null) throw new Error("the payload was erased");
	const address =
		recipientSealed === null ? null : await sealer.openText(recipientSealed, recipientPlace(id));
	return { ...unopened(row), address, payload: await sealer.openText(payloadSealed, payloadPlace(id)) };
}

function unopened(row: OutboxRow): Delivery {
	const { id, partnerId, channel, attempts, createdAt, resentAt, nextAttemptAt } = row;
	const startedAt = resentAt ?? createdAt;
	const leasedUntil = nextAttemptAt!;
	return { id, partnerId, channel, attempts, startedAt, leasedUntil, address: null, payload: "" };
}

async function tryAgain(platform: Platform, delivery: Delivery, endpoint: Endpoint): Promise<Outcome> {
	if (delivery.attempts > MAX_ATTEMPTS) return failed("attempt lost");
	return attempt(platform, delivery, endpoint, RETRY_ATTEMPT_MS);
}

/** Erased, or sealed with a key that was removed: no retry can open it. */
function payloadLost({ id }: OutboxRow): Outcome {
	log("error", "delivery_payload_lost", { delivery_id: id });
	return { kind: "parked", label: "payload_lost" };
}

/** Sends a delivery once. Writes nothing to D1: {@link finish} does. */
async function attempt(
	platform: Platform,
	delivery: Delivery,
	endpoint: Endpoint,
	timeoutMs: number,
): Promise<Outcome> {
	const { id, address, payload } = delivery;
	if (address !== null) return sendEmail(platform, { id, address, payload, timeoutMs });
	const { webhookUrl, webhookOffAt } = endpoint.partner;
	if (webhookUrl === null) return { kind: "parked", label: "no_endpoint" };
	if (webhookOffAt !== null) return { kind: "parked", label: "endpoint_off" };
	const verdict = judgeOutboundUrl(webhookUrl, platform.settings.outbound);
	if (!verdict.ok) return { kind: "parked", label: "address_refused" };
	const secrets = await Promise.all(
		endpoint.secrets.map(({ id, secretSealed }) => platform.sealer.openText(secretSealed, secretPlace(id))),
	);
	if (secrets.length === 0) return { kind: "parked", label: "no_secret" };
	return sendWebhook({ id, url: verdict.url, body: payload, secrets, at: platform.clock(), timeoutMs });
}

/**
 * Records how attempts ended, queues those to be repeated, and switches off an endpoint that answered 410.
 * @throws {Unavailable} with the rows still leased: they are tried again when the lease ends.
 */
async function finish(platform: Platform, attempts: readonly Attempt[]): Promise<void> {
	const { db, clock, metrics } = platform;
	const now = clock();
	const ends = attempts.map((attempt) => ({ id: attempt.delivery.id, ...endOf(db, attempt, now) }));
	await batch(db, { ends: ends.map(({ statement }) => statement) });
	await enqueue(
		platform,
		ends.flatMap(({ id, nextAttemptAt }) => (nextAttemptAt === null ? [] : [{ id, at: nextAttemptAt }])),
	);
	for (const { delivery, outcome } of attempts) {
		const { id, partnerId, channel } = delivery;
		const reason = labelOf(outcome);
		count(metrics, { name: "delivery", outcome: outcome.kind, subject: channel, reason, partnerId });
		if (outcome.kind !== "gone") continue;
		const origin = { actor: "job:delivery" as const, requestId: `delivery-${id}`, now };
		await switchWebhookOff(db, partnerId, outcome.url, origin);
	}
}

/** @returns the change of the row, and when the next attempt is due: epoch milliseconds, or null for none. */
function endOf(
	db: Db,
	{ delivery, outcome }: Attempt,
	now: number,
): { statement: Statement; nextAttemptAt: number | null } {
	if (outcome.kind === "delivered")
		return { statement: markDelivered(db, delivery, now), nextAttemptAt: null };
	const nextAttemptAt = outcome.kind === "failed" ? nextAttempt(delivery, now, outcome.retryAfterMs) : null;
	const result = { outcome: labelOf(outcome), now };
	if (nextAttemptAt !== null)
		return { statement: markFailed(db, delivery, { ...result, nextAttemptAt }), nextAttemptAt };
	const eraseAt = eraseTime(delivery.startedAt, now);
	return { statement: markDead(db, delivery, { ...result, eraseAt }), nextAttemptAt };
}
