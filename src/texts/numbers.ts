import type { Language } from "./language.ts";
import { forEachLocale } from "./locale.ts";

const GROUPED = forEachLocale((locale) => new Intl.NumberFormat(locale, { useGrouping: "always" }));

/** `12.345`, in English `12,345`. */
export function readableNumber(n: number, language: Language): string {
	return GROUPED(language).format(n);
}
