const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The example schedule of Standard Webhooks 1.0: the wait after the first, second … attempt. Milliseconds. */
export const RETRY_DELAYS_MS = [
	5 * SECOND,
	5 * MINUTE,
	30 * MINUTE,
	2 * HOUR,
	5 * HOUR,
	10 * HOUR,
	14 * HOUR,
	20 * HOUR,
	24 * HOUR,
] as const;

export const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1;

/** A round of attempts ends after this; the last attempt is made no later. */
export const ROUND_MS = 72 * HOUR;

/** After this an attempt counts as crashed; longer than any attempt may take. */
export const ATTEMPT_LEASE_MS = MINUTE;

/** How long the payload of a dead letter is kept after its round, for ops to send it again. */
const KEPT_AFTER_ROUND_MS = 7 * 24 * HOUR;

/**
 * When to try again after a failure.
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

/** When the payload of a dead letter is erased: seven days after the end of its round. */
export function eraseTime(roundStartedAt: number, now: number): number {
	return Math.max(now, roundStartedAt + ROUND_MS) + KEPT_AFTER_ROUND_MS;
}

/**
 * Retry-After (RFC 9110 §10.2.3): seconds or an HTTP date.
 * @returns milliseconds from now, or null when it is absent, in the past or neither.
 */
export function readRetryAfter(header: string | null, now: number): number | null {
	const value = header?.trim() ?? "";
	if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND;
	if (!/^[A-Z][a-z]{2}, /.test(value)) return null;
	const wait = Date.parse(value) - now;
	return Number.isFinite(wait) && wait > 0 ? wait : null;
}
