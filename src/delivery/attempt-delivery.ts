import { markDead, markDelivered, markFailed } from "../db/outbox-register.ts";
import type { PartnerRow } from "../db/partners.ts";
import type { Db, Statement } from "../db/query.ts";
import { secretPlace, type WebhookSecretRow } from "../db/webhook-secrets.ts";
import type { Platform } from "../platform.ts";
import { judgeOutboundUrl } from "./outbound-url.ts";
import type { OwedDelivery } from "./outbox.ts";
import { labelOf, type Outcome } from "./outcome.ts";
import { eraseTime, nextAttempt } from "./retry-schedule.ts";
import { sendEmail } from "./send-email.ts";
import { sendWebhook } from "./send-webhook.ts";

/** A partner's webhook as the register has it at this moment. */
export interface Endpoint {
	partner: Pick<PartnerRow, "webhookUrl" | "webhookOffAt">;
	secrets: readonly WebhookSecretRow[];
}

/** Tries one claimed delivery, once. Changes nothing in the register: {@link settleAttempt} does. */
export async function attemptDelivery(
	platform: Platform,
	delivery: OwedDelivery,
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

export interface Settlement {
	statement: Statement;
	/** When the next attempt is due, epoch milliseconds; null when none follows. */
	nextAttemptAt: number | null;
}

/** What an attempt's outcome makes of its row. Pure but for the statement it prepares. */
export function settleAttempt(db: Db, delivery: OwedDelivery, outcome: Outcome, now: number): Settlement {
	if (outcome.kind === "delivered")
		return { statement: markDelivered(db, delivery, now), nextAttemptAt: null };
	const next = outcome.kind === "failed" ? nextAttempt(delivery, now, outcome.retryAfterMs) : null;
	const result = { outcome: labelOf(outcome), now };
	if (next !== null)
		return {
			statement: markFailed(db, delivery, { ...result, nextAttemptAt: next }),
			nextAttemptAt: next,
		};
	const eraseAt = eraseTime(delivery.startedAt, now);
	return { statement: markDead(db, delivery, { ...result, eraseAt }), nextAttemptAt: null };
}
