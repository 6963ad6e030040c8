import type { Language } from "./language.ts";

/* Dates as people in Chile read them: in words, by the clock of Santiago. Programs get RFC 3339. */

const ZONE = "America/Santiago";
const LOCALES: Record<Language, string> = { es: "es-CL", en: "en-GB" };
const IN_CHILE: Record<Language, string> = { es: "hora de Chile", en: "Chile time" };

/** `21 de noviembre de 2026`. @param time - epoch milliseconds */
export function readableDate(time: number, language: Language): string {
	return new Intl.DateTimeFormat(LOCALES[language], { timeZone: ZONE, dateStyle: "long" }).format(time);
}

/** `21-11-2026, 09:00`, or `09:00:05`, for tables; the page says whose time it is. @param time - epoch milliseconds */
export function shortTime(time: number, language: Language, { seconds = false } = {}): string {
	const timeStyle = seconds ? "medium" : "short";
	const form = { timeZone: ZONE, dateStyle: "medium", timeStyle, hourCycle: "h23" } as const;
	return new Intl.DateTimeFormat(LOCALES[language], form).format(time);
}

const IN_SHEETS = new Intl.DateTimeFormat(LOCALES.es, {
	timeZone: ZONE,
	dateStyle: "medium",
	timeStyle: "medium",
	hourCycle: "h23",
});

/** `21-11-2026 09:00:05`: a cell that Excel in Chile reads as a date and time. @param time - epoch milliseconds */
export function sheetTime(time: number): string {
	return IN_SHEETS.format(time).replace(",", "");
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
	const form = { style: "unit", unitDisplay: "long" } as const;
	return parts
		.filter(([, n]) => n > 0)
		.map(([unit, n]) => new Intl.NumberFormat(LOCALES[language], { ...form, unit }).format(n))
		.join(", ");
}

/** `21 de noviembre de 2026, 09:00 (hora de Chile)`. @param time - epoch milliseconds */
export function readableTime(time: number, language: Language): string {
	const clock = { timeZone: ZONE, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
	const hours = new Intl.DateTimeFormat(LOCALES[language], clock).format(time);
	return `${readableDate(time, language)}, ${hours} (${IN_CHILE[language]})`;
}

/** `21-11-2026`. @param day - `2026-11-21` */
export function shortDay(day: string, language: Language): string {
	return new Intl.DateTimeFormat(LOCALES[language], { timeZone: "UTC", dateStyle: "medium" }).format(
		Date.parse(day),
	);
}

/** `21 nov`. @param day - `2026-11-21` */
export function dayAndMonth(day: string, language: Language): string {
	const form = { timeZone: "UTC", day: "numeric", month: "short" } as const;
	return new Intl.DateTimeFormat(LOCALES[language], form).format(Date.parse(day));
}
