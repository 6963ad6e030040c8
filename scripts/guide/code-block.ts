import { readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { escapeHtml, highlight } from "./highlight.ts";
import { FOLDER, type Language } from "./pages.ts";
import type { Snippet } from "./snippets.ts";
import { WORDS } from "./words.ts";

/** A piece of code with its caption and a button that copies it, which guide.js shows. */
export function codeBlock({ language, caption, text }: Snippet, reader: Language): string {
	const shown = language === "json" ? indented(text) : text;
	const head = caption ? `<figcaption>${escapeHtml(caption)}</figcaption>` : "";
	const code = `<pre class="${language}" tabindex="0"><code>${highlight(shown, language)}</code></pre>`;
	return `<figure class="code">${head}${code}<button type="button" class="copy" hidden>${WORDS[reader].copy}</button></figure>\n`;
}

function indented(json: string): string {
	return JSON.stringify(JSON.parse(json), null, 2);
}

/** Highlighted languages of docs/partners/examples. */
const HIGHLIGHTED: Record<string, string> = { ".sh": "sh", ".mjs": "js", ".php": "php", ".py": "python" };

export interface Example {
	/** How its tab is named. */
	label: string;
	/** File of docs/partners/examples. */
	file: string;
}

/** Programs that do the same, one in view: radio buttons, which need no script. */
export function exampleTabs(examples: readonly Example[], reader: Language): string {
	const group = basename(examples[0]!.file, extname(examples[0]!.file));
	const tabs = examples.map(({ label, file }, index) => {
		const chosen = index === 0 ? " checked" : "";
		return `<input type="radio" name="${group}" id="${file}" value="${label}"${chosen}><label for="${file}">${label}</label>`;
	});
	const panels = examples.map(({ file }, index) => {
		const text = readFileSync(join(FOLDER, "examples", file), "utf8").trimEnd();
		const block = codeBlock({ language: HIGHLIGHTED[extname(file)]!, caption: file, text }, reader);
		return index === 0 ? block : block.replace("<figure", "<figure data-pagefind-ignore");
	});
	const legend = `<legend class="unseen">${WORDS[reader].language}: ${group}</legend>`;
	return `<fieldset class="tabs">${legend}${tabs.join("")}${panels.join("")}</fieldset>\n`;
}
