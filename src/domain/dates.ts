import { DAY_MS, HOUR_MS } from "./durations.ts";

/** Calendar dates without a time: `YYYY-MM-DD` strings, proleptic Gregorian, years 1900 to 2199. */

const YEAR_FIRST = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const DAY_FIRST = /^([0-9]{2})([-/])([0-9]{2})\2([0-9]{4})$/;

/**
 * Reads `fechaVencimiento` (§4.1): `YYYY-MM-DD`, `DD-MM-YYYY` or `DD/MM/YYYY`, day first.
 * @returns `YYYY-MM-DD`, or null when the text has another form or the day does not exist.
 */
export function readCalendarDate(text: string): string | null {
	const yearFirst = YEAR_FIRST.exec(text);
	if (yearFirst) return existing(yearFirst[1]!, yearFirst[2]!, yearFirst[3]!);
	const dayFirst = DAY_FIRST.exec(text);
	return dayFirst ? existing(dayFirst[4]!, dayFirst[3]!, dayFirst[1]!) : null;
}

function existing(year: string, month: string, day: string): string | null {
	if (Number(year) < 1900 || Number(year) > 2199) return null;
	const iso = `${year}-${month}-${day}`;
	const time = Date.parse(`${iso}T00:00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso) ? iso : null;
}

const TIMESTAMP =
	/^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(\.[0-9]{1,9})?)?(?:[Zz]|([ +-])([0-9]{2}):?([0-9]{2}))?$/;

/** The first and last millisecond that a text of `created_from` or `created_to` can mean. */
export interface InstantRange {
	first: number;
	last: number;
}

/**
 * Reads a bare UTC date (the whole day) or an RFC 3339 timestamp, UTC when it has no offset (§4.5). Seconds may be left
 * out, and the colon of the offset; a query turns the offset's `+` into a blank.
 * @returns epoch milliseconds, or null when the text is neither or the time does not exist.
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
	const [, date, hour, minute, second = "00", fraction = "", sign, hours, minutes] = parts;
	const day = readCalendarDate(date!);
	if (day === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
	const offset = sign === undefined ? "Z" : `${sign === "-" ? "-" : "+"}${hours}:${minutes}`;
	const time = Date.parse(`${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}${offset}`);
	return Number.isNaN(time) ? null : { first: time, last: time };
}

/** Calendar years later, in UTC. @param leapDay - what 29 February becomes in a common year. */
export function addYears(time: number, years: number, leapDay: "28 February" | "1 March"): number {
	const date = new Date(time);
	const day = date.getUTCDate();
	date.setUTCFullYear(date.getUTCFullYear() + years);
	if (leapDay === "28 February" && date.getUTCDate() !== day) date.setUTCDate(0);
	return date.getTime();
}

/** Counters use these days too (`santiago_offsets`). */
const ZONE = "America/Santiago";

/**
 * The day of Chile that a person writes, day first, or a date field sends: `30-11-2026`, `30/11/2026`, `2026-11-30`.
 * @returns its first and last millisecond, or null when the text has another form or the day does not exist.
 */
export function readChileDay(text: string): InstantRange | null {
	const day = readCalendarDate(text);
	if (day === null) return null;
	const next = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
	return { first: chileMidnight(day), last: chileMidnight(next) - 1 };
}

/** The day's first moment: 03:00 or 04:00 UTC. Some days begin at 01:00, and the hour before some midnights comes twice. */
function chileMidnight(day: string): number {
	const early = Date.parse(`${day}T00:00:00-03:00`);
	return chileDayOf(early) === day ? early : early + HOUR_MS;
}

const CHILE_DAY = new Intl.DateTimeFormat("sv", { timeZone: ZONE, dateStyle: "short" });

/** The day of Chile that a moment lies in, `2026-11-30`. @param time - epoch milliseconds */
export function chileDayOf(time: number): string {
	return CHILE_DAY.format(time);
}
