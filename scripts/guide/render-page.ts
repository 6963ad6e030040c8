import { Marked, type Tokens } from "marked";
import { addressOf, anchorOf, type Language, PAGES, type Page, type PageName } from "./pages.ts";
import { drawSequence } from "./sequence-diagram.ts";

/* A page of the guide as it is served under /docs: HTML without script. */

const WORDS = {
	es: {
		tag: "es-CL",
		guide: "Guía para partners",
		skip: "Saltar al contenido",
		pages: "Páginas",
		next: "Siguiente",
		reference: "Referencia de la API",
	},
	en: {
		tag: "en",
		guide: "Guide for partners",
		skip: "Skip to the content",
		pages: "Pages",
		next: "Next",
		reference: "API reference",
	},
} as const;

const OTHER = { es: "en", en: "es" } as const;
const NAME = { es: "Español", en: "English" } as const;

/** @param all - the pages of its language, in their order. */
export function renderPage(page: Page, all: readonly Page[]): string {
	const { language, name, title } = page;
	const words = WORDS[language];
	const other = OTHER[language];
	const next = all[PAGES.indexOf(name) + 1];
	const items = all.map((one) => {
		const here = one.name === name ? ' aria-current="page"' : "";
		return `<li><a href="${addressOf(language, one.name)}"${here}>${escapeHtml(one.title)}</a></li>`;
	});
	return `<!doctype html>
<html lang="${words.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${words.guide}</title>
<link rel="stylesheet" href="/docs/guide.css">
<link rel="alternate" hreflang="${other}" href="${addressOf(other, name)}">
</head>
<body>
<a class="skip" href="#content">${words.skip}</a>
<header>
<a class="home" href="${addressOf(language, "README")}">${words.guide}</a>
<a class="to-pages" href="#pages">${words.pages}</a>
<a lang="${other}" hreflang="${other}" href="${addressOf(other, name)}">${NAME[other]}</a>
</header>
<div class="columns">
<main id="content" tabindex="-1">
${bodyOf(page)}${next ? `<p class="next"><a href="${addressOf(language, next.name)}">${words.next}: ${escapeHtml(next.title)}</a></p>` : ""}
</main>
<nav id="pages" aria-label="${words.pages}">
<ul>${items.join("")}<li><a href="/docs/reference">${words.reference}</a></li></ul>
</nav>
</div>
</body>
</html>
`;
}

function bodyOf({ language, markdown }: Page): string {
	const marked = new Marked({
		renderer: {
			heading({ tokens, depth, text }) {
				return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
			},
			code({ text, lang = "" }) {
				if (lang === "mermaid") return drawSequence(text);
				const [language, ...words] = lang.split(" ");
				const caption = words.length > 0 ? `<figcaption>${escapeHtml(words.join(" "))}</figcaption>` : "";
				return `<figure class="code">${caption}<pre class="${language}" tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>\n`;
			},
			table(token: Tokens.Table) {
				const columns = token.header.map(({ text }) => escapeHtml(text.replaceAll("`", "")));
				const head = token.header.map(
					({ tokens }) => `<th role="columnheader">${this.parser.parseInline(tokens)}</th>`,
				);
				// A telephone shows a row as a block, each cell under its column's name; the roles keep it a table.
				const cell = ({ tokens }: Tokens.TableCell, index: number) =>
					`<td role="cell" data-column="${columns[index]}">${this.parser.parseInline(tokens)}</td>`;
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
	return marked.parse(markdown, { async: false });
}

/** A link between the files, as a link between the served pages. */
function served(href: string, language: Language): string {
	if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
	const parts = /^(?:\.\.\/(es|en)\/)?([\w-]+)\.md(#.*)?$/.exec(href);
	const name = parts?.[2] as PageName | undefined;
	if (!name || !PAGES.includes(name)) throw new Error(`a link leaves the guide: ${href}`);
	return addressOf((parts?.[1] as Language | undefined) ?? language, name) + (parts?.[3] ?? "");
}

function escapeHtml(text: string): string {
	return text
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;")
		.replaceAll('"', "&quot;");
}
