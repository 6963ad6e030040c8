import type { Language } from "./language.ts";
import { forEachLocale } from "./locale.ts";

/* Dates as people in Chile read them: in words, by the clock of Santiago. Programs get RFC 3339. */

const ZONE = "America/Santiago";
const IN_CHILE: Record<Language, string> = { es: "hora de Chile", en: "Chile time" };

const LONG_DATE = dates({ timeZone: ZONE, dateStyle: "long" });
const CLOCK = dates({ timeZone: ZONE, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const SHORT_TIME = dates({ timeZone: ZONE, dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
const SHORT_TIME_SECONDS = dates({
	timeZone: ZONE,
	dateStyle: "medium",
	timeStyle: "medium",
	hourCycle: "h23",
});
const SHORT_DAY = dates({ timeZone: "UTC", dateStyle: "medium" });
const DAY_AND_MONTH = dates({ timeZone: "UTC", day: "numeric", month: "short" });

function dates(form: Intl.DateTimeFormatOptions) {
	return forEachLocale((locale) => new Intl.DateTimeFormat(locale, form));
}

/** `21 de noviembre de 2026`. @param time - epoch milliseconds */
export function readableDate(time: number, language: Language): string {
	return LONG_DATE(language).format(time);
}

/** `21-11-2026, 09:00`, or `09:00:05`, for tables; the page says whose time it is. @param time - epoch milliseconds */
export function shortTime(time: number, language: Language, { seconds = false } = {}): string {
	return (seconds ? SHORT_TIME_SECONDS : SHORT_TIME)(language).format(time);
}

/** `21-11-2026 09:00:05`: a cell that Excel in Chile reads as a date and time. @param time - epoch milliseconds */
export function sheetTime(time: number): string {
	return shortTime(time, "es", { seconds: true }).replace(",", "");
}

const UNITS = { day: units("day"), hour: units("hour"), minute: units("minute"), second: units("second") };

function units(unit: string) {
	return forEachLocale(
		(locale) => new Intl.NumberFormat(locale, { style: "unit", unitDisplay: "long", unit }),
	);
}

/** `15 días, 31 minutos`; '' for less than a second. */
export function readableSpan(milliseconds: number, language: Language): string {
	const seconds = Math.floor(milliseconds / 1000);
	const parts = [
		["day", Math.floor(seconds / 86_400)],
		["hour", Math.floor(seconds / 3600) % 24],
		["minute", Math.floor(seconds / 60) % 60],
		["second", seconds % 60],
	] as const;
	return parts
		.filter(([, n]) => n > 0)
		.map(([unit, n]) => UNITS[unit](language).format(n))
		.join(", ");
}

/** `21 de noviembre de 2026, 09:00 (hora de Chile)`. @param time - epoch milliseconds */
export function readableTime(time: number, language: Language): string {
	return `${readableDate(time, language)}, ${CLOCK(language).format(time)} (${IN_CHILE[language]})`;
}

/** `21-11-2026`. @param day - `2026-11-21` */
export function shortDay(day: string, language: Language): string {
	return SHORT_DAY(language).format(Date.parse(day));
}

/** `21 nov`. @param day - `2026-11-21` */
export function dayAndMonth(day: string, language: Language): string {
	return DAY_AND_MONTH(language).format(Date.parse(day));
}
