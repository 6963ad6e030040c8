import { basename } from "node:path";
import { Marked, type Token, type Tokens } from "marked";
import { codeBlock, type Example, exampleTabs } from "./code-block.ts";
import type { Facts } from "./facts.ts";
import { escapeHtml } from "./highlight.ts";
import type { MenuGroup, ServedPage } from "./layout.ts";
import { addressOf, anchorOf, type Language, PAGES, type Page, type PageName } from "./pages.ts";
import { drawSequence } from "./sequence-diagram.ts";
import { WORDS } from "./words.ts";

/* A page of the guide as it is served under /docs. */

export function servedPage(
	{ language, name, title, markdown }: Page,
	all: readonly Page[],
	facts: Facts,
): ServedPage {
	return {
		language,
		address: addressOf(language, name),
		title,
		body: markdownOf(language).parse(filled(markdown, facts), { async: false }),
		menu: guideMenu(language, all),
	};
}

/** The guide's pages; the reference follows the last one. */
function guideMenu(language: Language, all: readonly Page[]): MenuGroup[] {
	const { guide, reference } = WORDS[language];
	const pages = all.map(({ name, title }) => ({ address: addressOf(language, name), title }));
	return [{ title: guide, pages: [...pages, { address: `/docs/${language}/reference/`, title: reference }] }];
}

/** Addresses that a deployment has, in place of `{DEV_URL}` and `{PROD_URL}`. */
function filled(markdown: string, { dev, prod }: Facts): string {
	return markdown.replaceAll("{DEV_URL}", dev).replaceAll("{PROD_URL}", prod);
}

/** Reads the guide's Markdown in one language. */
export function markdownOf(language: Language): Marked {
	return new Marked({
		renderer: {
			heading({ tokens, depth, text }) {
				return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
			},
			code({ text, lang = "" }) {
				if (lang === "mermaid") return drawSequence(text);
				const [tag = "", ...words] = lang.split(" ");
				return codeBlock({ language: tag, caption: words.join(" "), text }, language);
			},
			paragraph({ tokens }) {
				const examples = examplesIn(tokens);
				return examples ? exampleTabs(examples, language) : `<p>${this.parser.parseInline(tokens)}</p>\n`;
			},
			strong({ text, tokens }) {
				const inner = this.parser.parseInline(tokens);
				// The footer of every page says by which number, and when.
				return `<strong>${CALL_US.test(text) ? `<a href="#contact">${inner}</a>` : inner}</strong>`;
			},
			table(token: Tokens.Table) {
				const columns = token.header.map(({ text }) => escapeHtml(text.replaceAll("`", "")));
				const head = token.header.map(
					({ tokens }) => `<th role="columnheader">${this.parser.parseInline(tokens)}</th>`,
				);
				// A telephone shows a row as a block, each cell under its column's name, which two columns do without; the roles keep it a table.
				const named = (index: number) => (columns.length > 2 ? ` data-column="${columns[index]}"` : "");
				const cell = ({ tokens }: Tokens.TableCell, index: number) =>
					`<td role="cell"${named(index)}>${this.parser.parseInline(tokens)}</td>`;
				const rows = token.rows.map((cells) => `<tr role="row">${cells.map(cell).join("")}</tr>`);
				const body = `<tbody role="rowgroup">${rows.join("\n")}</tbody>`;
				return `<table role="table"><thead role="rowgroup"><tr role="row">${head.join("")}</tr></thead>${body}</table>\n`;
			},
			link({ href, tokens }) {
				return `<a href="${escapeHtml(served(href, language))}">${this.parser.parseInline(tokens)}</a>`;
			},
			image({ href, text }) {
				return `<img src="${escapeHtml(href.replace("../pictures/", "/docs/pictures/"))}" alt="${escapeHtml(text)}" loading="lazy">`;
			},
			html({ text }) {
				throw new Error(`HTML in the guide: ${text}`);
			},
		},
	});
}

const CALL_US = /^(llámenos|call us)$/i;

/** Reads a paragraph that is nothing but links to examples. */
function examplesIn(tokens: readonly Token[]): Example[] | null {
	const links = tokens.filter((token): token is Tokens.Link => token.type === "link");
	const others = tokens.filter((token) => token.type !== "link" && token.raw.trim() !== "·");
	if (others.length > 0 || !links.every(({ href }) => href.startsWith("../examples/"))) return null;
	return links.map(({ href, text }) => ({ label: text, file: basename(href) }));
}

/** A link between the files, as a link between the served pages. */
function served(href: string, language: Language): string {
	if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
	const parts = /^(?:\.\.\/(es|en)\/)?([\w-]+)\.md(#.*)?$/.exec(href);
	const name = parts?.[2] as PageName | undefined;
	if (!name || !PAGES.includes(name)) throw new Error(`a link leaves the guide: ${href}`);
	return addressOf((parts?.[1] as Language | undefined) ?? language, name) + (parts?.[3] ?? "");
}
