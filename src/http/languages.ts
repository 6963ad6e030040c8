/** Languages of `message`; `error` and `details[].code` never change. */
export type Language = "en" | "es";
export type Text = Record<Language, string>;

/** The better liked of the two by Accept-Language (RFC 9110 §12.5.4); English when neither is. */
export function preferredLanguage(header: string | undefined): Language {
	let best: { language: Language; quality: number } = { language: "en", quality: 0 };
	for (const range of (header ?? "").split(",")) {
		const [tag = "", ...parameters] = range.toLowerCase().split(/\s*;\s*/);
		const language = tag.trim().split("-")[0];
		if (language !== "en" && language !== "es") continue;
		const weight = parameters
			.map((parameter) => /^q=([01](?:\.[0-9]{0,3})?)\s*$/.exec(parameter)?.[1])
			.find(Boolean);
		const quality = weight === undefined ? 1 : Number(weight);
		if (quality > best.quality) best = { language, quality };
	}
	return best.language;
}
