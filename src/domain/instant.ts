import { readCalendarDate } from "./calendar-date.ts";

const DAY_MS = 86_400_000;
const TIMESTAMP =
	/^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]{1,9})?([Zz]|[+-][0-9]{2}:[0-9]{2})?$/;

/** The first and last millisecond that a text of `created_from` or `created_to` can mean. */
export interface InstantRange {
	first: number;
	last: number;
}

/**
 * Reads a bare UTC date (the whole day) or an RFC 3339 timestamp, UTC when it has no offset (§4.5).
 * @returns epoch milliseconds, or null when the text is neither or names a time that does not exist.
 */
export function readInstant(text: string): InstantRange | null {
	if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) {
		const day = readCalendarDate(text);
		if (day === null) return null;
		const first = Date.parse(`${day}T00:00:00Z`);
		return { first, last: first + DAY_MS - 1 };
	}
	const parts = TIMESTAMP.exec(text);
	if (!parts) return null;
	const [, date, hour, minute, second, fraction = "", offset = "Z"] = parts;
	const day = readCalendarDate(date!);
	if (day === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
	const time = Date.parse(`${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}${offset.toUpperCase()}`);
	return Number.isNaN(time) ? null : { first: time, last: time };
}
