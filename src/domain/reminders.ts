import { DAY_MS } from "./durations.ts";
import { CODE_WINDOW_MS, VALIDATION_LIFE_MS } from "./limits.ts";

/* Reminders of coming expiries. Times in epoch milliseconds. */

/** Days before a certificate's expiry on which its partner is reminded, the earliest first. */
export const REMINDER_DAYS = [60, 30, 7] as const;
export type ReminderDays = (typeof REMINDER_DAYS)[number];

/** Whether the holder is reminded too on these days, where the partner's settings ask for it. */
export function remindsHolder(days: ReminderDays): boolean {
	return days <= 30;
}

/** Facts that a reminder needs. `remindedDays`: the last reminder that is done with, null before the first. */
export interface ExpiringCertificate {
	issuedAt: number;
	notAfter: number;
	remindedDays: number | null;
}

export type ReminderDecision =
	| { kind: "remind"; days: ReminderDays }
	/** Due by the calendar but not sent: its day began before the issue. */
	| { kind: "skip"; days: ReminderDays }
	| { kind: "wait" };

/**
 * The latest reminder whose day has begun; earlier ones, missed in an outage, are not sent late. A day that began
 * before the certificate was issued gets none.
 */
export function decideReminder(
	{ issuedAt, notAfter, remindedDays }: ExpiringCertificate,
	now: number,
): ReminderDecision {
	if (notAfter <= now) return { kind: "wait" };
	const days = REMINDER_DAYS.findLast((days) => beginsAt(notAfter, days) <= now);
	if (days === undefined || (remindedDays !== null && remindedDays <= days)) return { kind: "wait" };
	return { kind: beginsAt(notAfter, days) > issuedAt ? "remind" : "skip", days };
}

/** The certificates of a run in three ranges: by the last reminder done, those that end within the next one's days. */
export function reminderRanges(now: number): { done: ReminderDays | null; endsBy: number }[] {
	return REMINDER_DAYS.map((days, i) => ({
		done: REMINDER_DAYS[i - 1] ?? null,
		endsBy: now + days * DAY_MS,
	}));
}

function beginsAt(notAfter: number, days: ReminderDays): number {
	return notAfter - days * DAY_MS;
}

/** Day 12 of the 14 of a code's window. */
const CODE_REMINDER_MS = 12 * DAY_MS;

/** Batches created in this time have codes that expire soon and can still be used. */
export function expiringBatches(now: number): { createdAfter: number; createdBy: number } {
	return { createdAfter: now - CODE_WINDOW_MS, createdBy: now - CODE_REMINDER_MS };
}

/** How long before a validation lapses its partner is told. */
const LAPSE_REMINDER_MS = 14 * DAY_MS;

/** Validations of this time lapse soon and can still be claimed. */
export function lapsingValidations(now: number): { validatedAfter: number; validatedBy: number } {
	const validatedAfter = now - VALIDATION_LIFE_MS;
	return { validatedAfter, validatedBy: validatedAfter + LAPSE_REMINDER_MS };
}
