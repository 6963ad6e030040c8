import { Marked } from "marked";

/* Reads a page's fenced blocks, from top to bottom. */

export interface Snippet {
	language: string;
	/** Text after the language: a file's name, or the terminal that a command is for. */
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

/** Removes what is translated: comments, captions of terminals and the texts of a diagram. */
export function withoutWords({ language, caption, text }: Snippet): string {
	if (language === "mermaid") return text.replaceAll(/(?<=: | as ).*$/gm, "");
	const place = caption.includes(".") || caption === "" ? caption : "terminal";
	return `${language} ${place}\n${text.replaceAll(/(^|\s)(#|\/\/) .*$/gm, "")}`;
}
