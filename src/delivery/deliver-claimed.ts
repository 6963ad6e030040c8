import { eq, sql } from "drizzle-orm";
import { claimDelivery, type OutboxRow } from "../db/outbox-register.ts";
import type { PartnerRow } from "../db/partners.ts";
import { askBatch } from "../db/query.ts";
import { partners } from "../db/schema.ts";
import { selectWebhookSecrets, type WebhookSecretRow } from "../db/webhook-secrets.ts";
import type { Platform } from "../platform.ts";
import { log } from "../telemetry/log.ts";
import { attemptDelivery, type Endpoint } from "./attempt-delivery.ts";
import { finishAttempts } from "./finish-attempts.ts";
import { type OwedDelivery, payloadPlace, recipientPlace } from "./outbox.ts";
import { failed, type Outcome } from "./outcome.ts";
import { ATTEMPT_LEASE_MS, MAX_ATTEMPTS, RETRY_DELAYS_MS } from "./retry-schedule.ts";
import { RETRY_ATTEMPT_MS } from "./send-webhook.ts";

/** An attempt that crashes comes again when the schedule says, and not before it counts as crashed. */
const LEASES_MS = [...RETRY_DELAYS_MS.map((delay) => Math.max(delay, ATTEMPT_LEASE_MS)), ATTEMPT_LEASE_MS];

/**
 * Tries the delivery of one outbox row, if it is due and nobody else tries it.
 * @throws {Unavailable}; whatever was claimed is tried again when the claim is over.
 */
export async function deliver(platform: Platform, id: string): Promise<"tried" | "not_due"> {
	const claimed = await claim(platform, id);
	if (claimed === null) return "not_due";
	const { row, endpoint } = claimed;
	const delivery = await open(platform, row).catch(() => null);
	const outcome = delivery ? await tryOnce(platform, delivery, endpoint) : lost(row);
	await finishAttempts(platform, [{ delivery: delivery ?? unopened(row), outcome }]);
	return "tried";
}

async function claim(
	{ db, clock }: Platform,
	id: string,
): Promise<{ row: OutboxRow; endpoint: Endpoint } | null> {
	const partnerId = sql<string>`(SELECT partner_id FROM outbox WHERE id = ${id})`;
	const now = clock();
	const [[row], [partner], secrets] = (await askBatch(db, [
		claimDelivery(db, { id, now, leases: LEASES_MS }),
		db.select().from(partners).where(eq(partners.id, partnerId)).limit(1),
		selectWebhookSecrets(db, partnerId, now),
	])) as [OutboxRow[], PartnerRow[], WebhookSecretRow[]];
	return row && partner ? { row, endpoint: { partner, secrets } } : null;
}

async function tryOnce(platform: Platform, delivery: OwedDelivery, endpoint: Endpoint): Promise<Outcome> {
	if (delivery.attempts > MAX_ATTEMPTS) return failed("attempt lost");
	return attemptDelivery(platform, delivery, endpoint, RETRY_ATTEMPT_MS);
}

async function open({ sealer }: Platform, row: OutboxRow): Promise<OwedDelivery> {
	const { id, recipientSealed, payloadSealed } = row;
	if (payloadSealed === null) throw new Error("the payload was erased");
	const address =
		recipientSealed === null ? null : await sealer.openText(recipientSealed, recipientPlace(id));
	return { ...unopened(row), address, payload: await sealer.openText(payloadSealed, payloadPlace(id)) };
}

function unopened(row: OutboxRow): OwedDelivery {
	const { id, partnerId, channel, attempts, createdAt, resentAt, nextAttemptAt } = row;
	const startedAt = resentAt ?? createdAt;
	return {
		id,
		partnerId,
		channel,
		attempts,
		startedAt,
		leasedUntil: nextAttemptAt!,
		address: null,
		payload: "",
	};
}

/** Erased, or sealed with a key that is gone: no retry brings it back. */
function lost({ id }: OutboxRow): Outcome {
	log("error", "delivery_payload_lost", { delivery_id: id });
	return { kind: "parked", label: "payload_lost" };
}
