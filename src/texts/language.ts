import { parseAccept } from "hono/utils/accept";

/** Languages of everything that a partner reads; `error`, `details[].code` and field names never change. */
export type Language = "en" | "es";
export type Text = Readonly<Record<Language, string>>;

const LANGUAGES: readonly string[] = ["en", "es"] satisfies Language[];

/** The preferred one of the two by Accept-Language (RFC 9110 §12.5.4). `es-CL` is Spanish. @param fallback - of neither */
export function preferredLanguage(header: string | undefined, fallback: Language = "en"): Language {
	const wanted = parseAccept(header ?? "")
		.filter(({ q }) => q > 0)
		.map(({ type }) => type.toLowerCase().replace(/-.*$/, ""));
	return (wanted.find((tag) => LANGUAGES.includes(tag)) ?? fallback) as Language;
}

/** A text with its `{name}`s filled in. */
export function fill(text: Text, values: Readonly<Record<string, string | number>>): Text {
	const filled = (language: Language) =>
		text[language].replaceAll(/\{(\w+)\}/g, (name, key: string) => String(values[key] ?? name));
	return { en: filled("en"), es: filled("es") };
}

/** Fills in texts of one language. */
export function sayingIn(language: Language) {
	return (text: Text, values: Parameters<typeof fill>[1] = {}): string => fill(text, values)[language];
}

const MARK = "\u001e";
const BETWEEN = "\u001f";

/** Both languages of a text as one string, for a schema or a route that is declared before the language is known. */
export function mark({ en, es }: Text): string {
	return `${MARK}${en}${BETWEEN}${es}`;
}

/** A JSON document in one language: every marked string in it becomes its text. */
export function inLanguage<Document>(document: Document, language: Language): Document {
	return JSON.parse(JSON.stringify(document), (_, value: unknown) => {
		if (typeof value !== "string" || !value.startsWith(MARK)) return value;
		const [en, es] = value.slice(MARK.length).split(BETWEEN);
		return language === "es" ? es : en;
	});
}
