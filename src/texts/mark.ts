import type { Language, Text } from "./language.ts";

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
