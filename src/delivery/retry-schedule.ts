import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../domain/durations.ts";

/** The example schedule of Standard Webhooks 1.0: the wait after the first, second … attempt. Milliseconds. */
export const RETRY_DELAYS_MS = [
	5 * SECOND_MS,
	5 * MINUTE_MS,
	30 * MINUTE_MS,
	2 * HOUR_MS,
	5 * HOUR_MS,
	10 * HOUR_MS,
	14 * HOUR_MS,
	20 * HOUR_MS,
	24 * HOUR_MS,
] as const;

export const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1;

/** A round of attempts ends after this; the last attempt is made no later. */
export const ROUND_MS = 72 * HOUR_MS;

/** Age at which an attempt counts as crashed; longer than any attempt may take. */
export const ATTEMPT_LEASE_MS = MINUTE_MS;

/** Time that a dead letter's payload is kept after its round, for ops to send it again. */
const KEPT_AFTER_ROUND_MS = 7 * DAY_MS;

/**
 * Computes the time of the next attempt after a failure.
 * @param round - `attempts` made, including the failed one; `startedAt` of the round, epoch milliseconds.
 * @param retryAfterMs - from the receiver's Retry-After, or null; never tried earlier than that.
 * @returns epoch milliseconds, or null when the round is over.
 */
export function nextAttempt(
	round: { attempts: number; startedAt: number },
	now: number,
	retryAfterMs: number | null,
): number | null {
	const delay = RETRY_DELAYS_MS[round.attempts - 1];
	const end = round.startedAt + ROUND_MS;
	if (delay === undefined || now >= end) return null;
	const scheduled = Math.min(now + delay, end);
	const asked = now + (retryAfterMs ?? 0);
	if (asked > end) return null;
	return Math.max(scheduled, asked);
}

/** Computes when a dead letter's payload is erased: seven days after the end of its round. */
export function eraseTime(roundStartedAt: number, now: number): number {
	return Math.max(now, roundStartedAt + ROUND_MS) + KEPT_AFTER_ROUND_MS;
}

/**
 * Retry-After (RFC 9110 §10.2.3): seconds or an HTTP date.
 * @returns milliseconds from now, or null when it is absent, in the past or neither.
 */
export function readRetryAfter(header: string | null, now: number): number | null {
	const value = header?.trim() ?? "";
	if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND_MS;
	if (!/^[A-Z][a-z]{2}, /.test(value)) return null;
	const wait = Date.parse(value) - now;
	return Number.isFinite(wait) && wait > 0 ? wait : null;
}
