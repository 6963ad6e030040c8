import type { Language } from "./language.ts";

const LOCALES: Record<Language, string> = { es: "es-CL", en: "en-GB" };

/** `12.345`, in English `12,345`. */
export function readableNumber(n: number, language: Language): string {
	return new Intl.NumberFormat(LOCALES[language], { useGrouping: "always" }).format(n);
}
