import { DAY_MS } from "./durations.ts";

/*
 * A partner's own time. In local and dev a partner can move its clock forward, to try what takes days (decision 18); in
 * prod the offset is 0. Its codes, widget sessions and deliveries are decided, stored and shown by this clock.
 */

/** Row with the offset of the partner's clock: how far it is ahead, milliseconds. */
export interface PartnerClock {
	clockOffset: number;
}

/** Four years: a certificate of three has expired by then. */
export const CLOCK_OFFSET_MAX_MS = (4 * 365 + 1) * DAY_MS;

/** A partner's time, epoch milliseconds. Nothing else adds the offset, but the statements that read it in D1. */
export function partnerNow({ clock }: { clock: () => number }, { clockOffset }: PartnerClock): number {
	return clock() + clockOffset;
}

/** A time of the partner's clock by the real one, for a browser that counts down to it. */
export function realTime(time: number, { clockOffset }: PartnerClock): number {
	return time - clockOffset;
}

const DURATION =
	/^P(?=[0-9T])(?:([0-9]{1,4})Y)?(?:([0-9]{1,4})M)?(?:([0-9]{1,4})W)?(?:([0-9]{1,5})D)?(?:T(?=[0-9])(?:([0-9]{1,6})H)?(?:([0-9]{1,7})M)?(?:([0-9]{1,9})S)?)?$/;

/**
 * The time that is an ISO 8601 duration later, in whole units: `P15D`, `P1Y2M`, `PT30M`. Years and months are those of the UTC
 * calendar; a day that its month lacks becomes the month's last.
 * @returns epoch milliseconds, or null when the text is no duration or no time passes in it.
 */
export function after(time: number, duration: string): number | null {
	const parts = DURATION.exec(duration);
	if (!parts) return null;
	const [years, months, weeks, days, hours, minutes, seconds] = parts
		.slice(1)
		.map((part) => Number(part ?? 0));
	const date = new Date(time);
	const day = date.getUTCDate();
	date.setUTCMonth(date.getUTCMonth() + years! * 12 + months!);
	if (date.getUTCDate() !== day) date.setUTCDate(0);
	const later =
		date.getTime() + (weeks! * 7 + days!) * DAY_MS + ((hours! * 60 + minutes!) * 60 + seconds!) * 1000;
	return later > time ? later : null;
}
