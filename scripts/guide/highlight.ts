import { createCssVariablesTheme, createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import javascript from "shiki/langs/javascript.mjs";
import json from "shiki/langs/json.mjs";
import php from "shiki/langs/php.mjs";
import python from "shiki/langs/python.mjs";
import shell from "shiki/langs/shellscript.mjs";

/* Colours code when the guide is built: spans with classes, which guide.css colours; the policy of /docs admits no inline style. */

const THEME = "classes";
const highlighter = await createHighlighterCore({
	themes: [createCssVariablesTheme({ name: THEME, variablePrefix: "--" })],
	langs: [javascript, json, php, python, shell],
	engine: createJavaScriptRegexEngine(),
});

/** Classes by the theme's colour; a colour without one is the text's own. */
const CLASSES: Record<string, string> = {
	"var(--token-keyword)": "keyword",
	"var(--token-function)": "function",
	"var(--token-string-expression)": "string",
	"var(--token-constant)": "constant",
	"var(--token-comment)": "comment",
};

/** @returns HTML of the code; of a language that is not known here, the text itself. */
export function highlight(text: string, language: string): string {
	if (!highlighter.getLoadedLanguages().includes(language)) return escapeHtml(text);
	// Without its limit of half a second a busy machine makes the same page as an idle one.
	const options = { lang: language, theme: THEME, tokenizeTimeLimit: 0 };
	const lines = highlighter.codeToTokensBase(text, options);
	return lines.map((tokens) => mergeTokens(tokens).map(span).join("")).join("\n");
}

interface Token {
	content: string;
	kind: string | undefined;
}

function mergeTokens(tokens: readonly { content: string; color?: string }[]): Token[] {
	const merged: Token[] = [];
	for (const { content, color = "" } of tokens) {
		const last = merged.at(-1);
		const kind = CLASSES[color];
		if (last && (last.kind === kind || content.trim() === "")) last.content += content;
		else merged.push({ content, kind });
	}
	return merged;
}

function span({ content, kind }: Token): string {
	const text = escapeHtml(content);
	return kind ? `<span class="${kind}">${text}</span>` : text;
}

export function escapeHtml(text: string): string {
	return text
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;")
		.replaceAll('"', "&quot;");
}
