import type { Language } from "./language.ts";

const LOCALES: Record<Language, string> = { es: "es-CL", en: "en-GB" };

/** Makes a formatter at its first use and keeps it for each language: making one takes far longer than using it. */
export function forEachLocale<Format>(make: (locale: string) => Format): (language: Language) => Format {
	const made: Partial<Record<Language, Format>> = {};
	return (language) => {
		made[language] ??= make(LOCALES[language]);
		return made[language];
	};
}
