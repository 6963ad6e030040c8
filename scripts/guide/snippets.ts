import { Marked } from "marked";

/* What a reader of a page does with its fenced blocks, from top to bottom. */

export interface Snippet {
	language: string;
	/** What stands after the language: a file's name, or the terminal that a command is for. */
	caption: string;
	text: string;
}

export function snippetsOf(markdown: string): Snippet[] {
	const snippets: Snippet[] = [];
	const marked = new Marked();
	marked.walkTokens(marked.lexer(markdown), (token) => {
		if (token.type !== "code") return;
		const [, language = "", caption = ""] = /^(\w+) ?(.*)$/.exec(token.lang ?? "") ?? [];
		snippets.push({ language, caption, text: token.text });
	});
	return snippets;
}

/** The same in both languages: comments, captions of terminals and the texts of a diagram are each language's own. */
export function withoutWords({ language, caption, text }: Snippet): string {
	if (language === "mermaid") return text.replaceAll(/(?<=: | as ).*$/gm, "");
	const place = caption.includes(".") || caption === "" ? caption : "terminal";
	return `${language} ${place}\n${text.replaceAll(/(^|\s)(#|\/\/) .*$/gm, "")}`;
}
