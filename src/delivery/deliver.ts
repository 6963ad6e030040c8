import { claimDelivery, type OutboxRow } from "../db/outbox.ts";
import { type PartnerRow, selectPartner } from "../db/partners.ts";
import { batch, type PartnerDb } from "../db/query.ts";
import { selectMayChange } from "../db/reopen-deliveries.ts";
import { selectWebhookSecrets, type WebhookSecretRow } from "../db/webhook-secrets.ts";
import { homeOf, partnerDb } from "../directory.ts";
import { partnerNow } from "../domain/partner-clock.ts";
import type { DeliveryMessage, Platform } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { type EmailPartner, envelopeOf } from "./compose-email.ts";
import { type Destination, destinationOf } from "./destination.ts";
import { sendEmail } from "./email.ts";
import { EMAILS } from "./emails.ts";
import { postToListener } from "./listener.ts";
import { type Delivery, payloadPlace, recipientPlace } from "./outbox.ts";
import { failed, type Outcome } from "./outcome.ts";
import { asWebhookBody } from "./payload.ts";
import { type Attempt, recordAttempts } from "./record-attempts.ts";
import { ATTEMPT_LEASE_MS, MAX_ATTEMPTS, RETRY_DELAYS_MS } from "./retry-schedule.ts";
import { postSigned, type SignedPost } from "./webhook.ts";

/** Limit of an attempt inside the call that issued, and of one from the queue. Milliseconds. */
const FIRST_ATTEMPT_MS = 5_000;
const RETRY_ATTEMPT_MS = 20_000;

/** Time that the queue holds messages back while a database is frozen; after that the sweep is earlier. */
const FROZEN_DELAY_SECONDS = 60 * 60;

/** A crashed attempt is repeated when the schedule says, and not before its lease has ended. */
const LEASES_MS = [...RETRY_DELAYS_MS.map((delay) => Math.max(delay, ATTEMPT_LEASE_MS)), ATTEMPT_LEASE_MS];

/** Addresses of a partner's deliveries, as D1 has them now. */
export interface Endpoint {
	db: PartnerDb;
	partner: Pick<
		PartnerRow,
		"id" | "version" | "webhookUrl" | "webhookOffAt" | "deliveryEmail" | "listeningUntil"
	> &
		EmailPartner;
	secrets: readonly WebhookSecretRow[];
	/** The partner's time. */
	now: () => number;
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
		deliveries.map((delivery) =>
			attempt(platform, delivery, endpoint, FIRST_ATTEMPT_MS).catch((error) =>
				broken(error, delivery, endpoint),
			),
		),
	);
	later(recordAttempts(platform, endpoint.db, attempts));
}

/** Logs a bug or a lost key: the retries meet it again, outside the caller's call. */
function broken(error: unknown, delivery: Delivery, endpoint: Endpoint): Attempt {
	log("error", "delivery_broken", describeError(error));
	return untried(delivery, endpoint, failed("internal error"));
}

/**
 * The queue's consumer. A message is acknowledged after every outcome: the next attempt is a new message. The queue
 * repeats a message only while D1 is unavailable or frozen; after its retries the sweep takes over.
 */
export async function consumeDeliveries(
	batch: MessageBatch<DeliveryMessage>,
	platform: Platform,
): Promise<void> {
	// Nothing is asked of a directory that is being restored.
	if (platform.settings.frozen) return batch.retryAll({ delaySeconds: FROZEN_DELAY_SECONDS });
	await Promise.all(
		batch.messages.map(async (message) => {
			try {
				const { database } = await homeOf(platform, message.body.partnerId);
				if (database.isFrozen) return message.retry({ delaySeconds: FROZEN_DELAY_SECONDS });
				await deliver(platform, message.body);
				message.ack();
			} catch (error) {
				log("error", "delivery_not_finished", { delivery_id: message.body.id, ...describeError(error) });
				message.retry();
			}
		}),
	);
}

/**
 * Tries one delivery, if it is due and not being tried. @returns how it went; null when it was not tried.
 * @throws {Unavailable}; it is tried again after its lease.
 */
export async function deliver(
	platform: Platform,
	message: DeliveryMessage,
	timeoutMs = RETRY_ATTEMPT_MS,
): Promise<Outcome | null> {
	const claimed = await claim(platform, message);
	if (claimed === null) return null;
	const { taken, endpoint } = claimed;
	const delivery = await open(platform, taken).catch(() => null);
	const tried = delivery
		? await tryAgain(platform, delivery, endpoint, timeoutMs)
		: payloadLost(taken, endpoint);
	await recordAttempts(platform, endpoint.db, [tried]);
	return tried.outcome;
}

/** A leased row. */
interface Taken {
	row: OutboxRow;
	mayChangeChannel: boolean;
}

async function claim(
	platform: Platform,
	{ partnerId, id }: DeliveryMessage,
): Promise<{ taken: Taken; endpoint: Endpoint } | null> {
	const db = await partnerDb(platform, partnerId);
	const now = platform.clock();
	const {
		row: [row],
		mayChange: [lone],
		partner: [partner],
		secrets,
	} = await batch(db, {
		row: claimDelivery(db, { id, partnerId, now, leases: LEASES_MS }),
		mayChange: selectMayChange(db, { id, partnerId }),
		partner: selectPartner(db, partnerId),
		secrets: selectWebhookSecrets(db, partnerId, now),
	});
	if (!row || !partner) return null;
	return {
		taken: { row, mayChangeChannel: lone?.mayChange === 1 },
		endpoint: { db, partner, secrets, now: () => partnerNow(platform, partner) },
	};
}

async function open({ sealer }: Platform, taken: Taken): Promise<Delivery> {
	const { id, recipientSealed, payloadSealed } = taken.row;
	if (payloadSealed === null) throw new Error("the payload was erased");
	const address =
		recipientSealed === null ? null : await sealer.openText(recipientSealed, recipientPlace(id));
	return { ...unopened(taken), address, payload: await sealer.openText(payloadSealed, payloadPlace(id)) };
}

function unopened({ row, mayChangeChannel }: Taken): Delivery {
	const { id, partnerId, event: kind, channel, toPartner, attempts, createdAt } = row;
	return {
		id,
		partnerId,
		kind,
		channel,
		toPartner,
		attempts,
		createdAt,
		mayChangeChannel,
		startedAt: row.resentAt ?? createdAt,
		leasedUntil: row.nextAttemptAt!,
		address: null,
		payload: "",
	};
}

async function tryAgain(
	platform: Platform,
	delivery: Delivery,
	endpoint: Endpoint,
	timeoutMs: number,
): Promise<Attempt> {
	if (delivery.attempts <= MAX_ATTEMPTS) return attempt(platform, delivery, endpoint, timeoutMs);
	return untried(delivery, endpoint, failed("attempt lost"));
}

/** Erased, or sealed with a key that was removed: no retry can open it. */
function payloadLost(taken: Taken, endpoint: Endpoint): Attempt {
	log("error", "delivery_payload_lost", { delivery_id: taken.row.id });
	return untried(unopened(taken), endpoint, { kind: "parked", label: "payload_lost" });
}

/** An attempt that ended before a request was sent. */
function untried(delivery: Delivery, { partner, now }: Endpoint, outcome: Outcome): Attempt {
	return { delivery, partner, now, at: now(), durationMs: 0, outcome };
}

/** Sends a delivery once. Writes nothing to D1: {@link recordAttempts} does. */
async function attempt(
	platform: Platform,
	delivery: Delivery,
	endpoint: Endpoint,
	timeoutMs: number,
): Promise<Attempt> {
	const { partner, secrets, now } = endpoint;
	const at = now();
	const destination = destinationOf(delivery, partner);
	const { id } = delivery;
	const post = { id, body: webhookBodyOf(delivery), secrets, timeoutMs };
	const heard = delivery.channel === "webhook" ? await postToListener(platform, partner, post) : null;
	const outcome = heard ?? (await send(platform, delivery, { partner, destination, post }));
	const channel = heard || destination.kind === "parked" ? delivery.channel : destination.kind;
	return { delivery: { ...delivery, channel }, partner, now, at, durationMs: now() - at, outcome };
}

function webhookBodyOf({ toPartner, payload, createdAt }: Delivery): string {
	return toPartner ? asWebhookBody(payload, createdAt) : payload;
}

async function send(
	platform: Platform,
	{ id, kind, payload }: Delivery,
	{ partner, destination, post }: { partner: EmailPartner; destination: Destination; post: SignedPost },
): Promise<Outcome> {
	if (destination.kind === "parked") return destination;
	if (destination.kind === "webhook") return postSigned(platform, { ...post, url: destination.url });
	// The other kinds, events, have no destination but a webhook.
	const compose = EMAILS[kind as keyof typeof EMAILS];
	const envelope = envelopeOf(platform, { id, to: destination.address });
	const message = compose(payload, { ...envelope, partner });
	return sendEmail(platform, message, post.timeoutMs);
}
