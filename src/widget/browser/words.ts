import type { Text } from "../../texts/language.ts";
import { WIDGET_TEXTS, type WidgetText } from "../../texts/widget.ts";
import {
	WIDGET_ENDS,
	WIDGET_REFUSALS,
	type WidgetEnd,
	type WidgetRefusal,
} from "../../texts/widget-refusals.ts";

type Values = Readonly<Record<string, string | number>>;

/** The texts in the holder's language, and times as people in Chile read them. */
export interface Words {
	language: "es" | "en";
	text(key: WidgetText, values?: Values): string;
	say(text: Text, values?: Values): string;
	refusal(code: string, values?: Values): string;
	/** A reason that this page does not know yet reads as an end by time. */
	end(key: string): string;
	/** `las 15:42`, `la 01:15`, in English without an article; with the day where it is another one. */
	time(at: number): string;
	/** @param at - RFC 3339, or epoch milliseconds */
	date(at: string | number): string;
}

const ZONE = { timeZone: "America/Santiago" } as const;

export function createWords(locale: "es" | "en", partner: string): Words {
	const language = locale === "es" ? "es-CL" : "en-GB";
	const fill = (text: string, values: Values = {}) =>
		text.replace(/\{(\w+)\}/g, (name, key: string) => String({ partner, ...values }[key] ?? name));
	const format = (options: Intl.DateTimeFormatOptions, at: number | Date) =>
		new Intl.DateTimeFormat(language, { ...ZONE, ...options }).format(at);
	const day = (at: number) => format({ day: "numeric", month: "long" }, at);
	return {
		language: locale,
		say: (text, values) => fill(text[locale], values),
		text: (key, values) => fill(WIDGET_TEXTS[key][locale], values),
		refusal: (code, values) =>
			fill((WIDGET_REFUSALS[code as WidgetRefusal] ?? WIDGET_REFUSALS.UNKNOWN)[locale], values),
		end: (key) => fill((WIDGET_ENDS[key as WidgetEnd] ?? WIDGET_ENDS.expired)[locale]),
		time(at) {
			const digits = format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }, at);
			const article = digits.startsWith("01") ? "la" : "las";
			const clock = locale === "es" ? `${article} ${digits}` : digits;
			return day(at) === day(Date.now()) ? clock : `${clock} ${locale === "es" ? "del" : "on"} ${day(at)}`;
		},
		date: (at) => format({ day: "numeric", month: "long", year: "numeric" }, new Date(at)),
	};
}
