import { type NewAttempt, recordAttempt } from "../db/delivery-attempts.ts";
import { markDead, markDelivered, markFailed } from "../db/outbox.ts";
import { switchWebhookOff } from "../db/partners.ts";
import { batch, type PartnerDb, type Statement } from "../db/query.ts";
import { reopenByEmail, reopenIfChanged } from "../db/reopen-deliveries.ts";
import type { Platform } from "../platform.ts";
import { count } from "../telemetry/metrics.ts";
import type { Delivery } from "./outbox.ts";
import { httpStatusOf, labelOf, type Outcome } from "./outcome.ts";
import { enqueueLater } from "./queue.ts";
import { eraseTime, nextAttempt } from "./retry-schedule.ts";

export interface Attempt {
	/** The delivery, with the channel by which it was tried. */
	delivery: Delivery;
	/** Version of the partner when its addresses were read. */
	partner: { version: number };
	/** The partner's time. */
	now: () => number;
	/** Start of the attempt, and its duration. */
	at: number;
	durationMs: number;
	outcome: Outcome;
}

/**
 * Records how attempts of a partner's deliveries ended, queues those to be repeated, and switches off an endpoint that answered 410.
 * @throws {Unavailable} with the rows still leased: they are tried again when the lease ends.
 */
export async function recordAttempts(
	platform: Platform,
	db: PartnerDb,
	attempts: readonly Attempt[],
): Promise<void> {
	const { clock, metrics } = platform;
	const ends = attempts.map((attempt) => ({
		partnerId: attempt.delivery.partnerId,
		id: attempt.delivery.id,
		...endOf(db, attempt, attempt.now()),
	}));
	const made = attempts.map((attempt) => recordAttempt(db, attemptRow(attempt)));
	await batch(db, { ends: ends.flatMap(({ statements }) => statements), made });
	await enqueueLater(
		platform,
		ends.flatMap(({ partnerId, id, waitMs }) => (waitMs === null ? [] : [{ partnerId, id, inMs: waitMs }])),
	);
	for (const { delivery, outcome } of attempts) {
		const { id, partnerId, channel } = delivery;
		const reason = labelOf(outcome);
		count(metrics, { name: "delivery", outcome: outcome.kind, subject: channel, reason, partnerId });
		if (outcome.kind !== "gone") continue;
		const origin = { actor: "job:delivery" as const, requestId: `delivery-${id}`, now: clock() };
		await switchWebhookOff(db, partnerId, outcome.url, origin);
	}
}

function attemptRow({ delivery, at, durationMs, outcome }: Attempt): NewAttempt {
	const { id: deliveryId, partnerId, channel } = delivery;
	const [label, httpStatus] = [labelOf(outcome), httpStatusOf(outcome)];
	return { partnerId, deliveryId, at, durationMs, channel, outcome: label, httpStatus };
}

/** @returns the change of the row, and the wait for the next attempt; null: none. */
function endOf(
	db: PartnerDb,
	{ delivery, partner, outcome }: Attempt,
	now: number,
): { statements: Statement[]; waitMs: number | null } {
	if (outcome.kind === "delivered") return { statements: [markDelivered(delivery, now)], waitMs: null };
	const nextAttemptAt = outcome.kind === "failed" ? nextAttempt(delivery, now, outcome.retryAfterMs) : null;
	const result = { outcome: labelOf(outcome), now };
	if (nextAttemptAt !== null)
		return {
			statements: [markFailed(db, delivery, { ...result, nextAttemptAt })],
			waitMs: nextAttemptAt - now,
		};
	const eraseAt = eraseTime(delivery.startedAt, now);
	const dead = markDead(db, delivery, { ...result, eraseAt });
	const isCopy = delivery.address !== null && !delivery.toPartner;
	if (isCopy) return { statements: [dead], waitMs: null };
	// Changes from webhook to e-mail only: two addresses that fail would alternate for ever.
	const byEmail = delivery.mayChangeChannel ? [reopenByEmail(db, delivery, now)] : [];
	return {
		statements: [dead, ...byEmail, reopenIfChanged(db, delivery, partner.version, now)],
		waitMs: null,
	};
}
