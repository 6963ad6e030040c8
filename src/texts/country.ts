import type { Language } from "./language.ts";

/** `Chile`. @param code - ISO 3166-1, two letters */
export function countryName(code: string, language: Language): string {
	return new Intl.DisplayNames(language, { type: "region" }).of(code) ?? code;
}
