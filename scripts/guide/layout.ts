import type { Facts } from "./facts.ts";
import { escapeHtml } from "./highlight.ts";
import type { Language } from "./pages.ts";
import { WORDS } from "./words.ts";

/* A page under /docs: the guide's and the reference's. Everything but search and copying works without script. */

export interface ServedPage {
	language: Language;
	/** Path of this page; the other language's differs in the language alone. */
	address: string;
	title: string;
	/** HTML of the content; its h2 and h3 with an id are the table of contents. */
	body: string;
	/** Groups of pages beside the content. The pages before and after this one are its neighbours there. */
	menu: readonly MenuGroup[];
}

export interface MenuGroup {
	title: string;
	pages: readonly MenuEntry[];
}

interface MenuEntry {
	address: string;
	title: string;
}

const OTHER = { es: "en", en: "es" } as const;
const NAME = { es: "Español", en: "English" } as const;

export function layout({ language, address, title, body, menu }: ServedPage, facts: Facts): string {
	const words = WORDS[language];
	const other = address.replace(`/docs/${language}/`, `/docs/${OTHER[language]}/`);
	const { brand } = facts;
	const name = escapeHtml(brand.name);
	return `<!doctype html>
<html lang="${words.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${words.guide} · ${name}</title>
<link rel="icon" href="/brand/favicon.svg">
<link rel="stylesheet" href="/docs/guide.css">
<link rel="alternate" hreflang="${OTHER[language]}" href="${other}">
<script type="module" src="/docs/guide.js"></script>
</head>
<body>
<a class="skip" href="#content">${words.skip}</a>
<header>
<a class="home" href="/docs/${language}/"><img src="/brand/mark.svg" alt="" width="28" height="28"> <b>${name}</b> <span>${words.guide}</span></a>
<form role="search" hidden><label class="unseen" for="search">${words.search}</label><input type="search" id="search" placeholder="${words.search}" autocomplete="off" spellcheck="false"></form>
<a class="to-pages" href="#pages">${words.pages}</a>
<a lang="${OTHER[language]}" hreflang="${OTHER[language]}" href="${other}">${NAME[OTHER[language]]}</a>
</header>
<p class="unseen" role="status"></p>
<section id="results" aria-label="${words.results}" hidden></section>
<div class="columns">
${contentsOf(body, language)}<main id="content" tabindex="-1" data-pagefind-body>
${body}${neighbours(menu, address, language)}</main>
<nav id="pages" aria-label="${words.pages}">
${menu.map((group) => menuGroup(group, address)).join("\n")}
</nav>
</div>
<footer id="contact" tabindex="-1"><h2>${words.contact}</h2>${contactOf(facts, language)}</footer>
</body>
</html>
`;
}

function menuGroup({ title, pages }: MenuGroup, address: string): string {
	const items = pages.map((page) => {
		const here = page.address === address ? ' aria-current="page"' : "";
		return `<li><a href="${page.address}"${here}>${escapeHtml(page.title)}</a></li>`;
	});
	return `<p>${escapeHtml(title)}</p>\n<ul>${items.join("")}</ul>`;
}

function neighbours(menu: readonly MenuGroup[], address: string, language: Language): string {
	const words = WORDS[language];
	const pages = menu.flatMap((group) => group.pages);
	const place = pages.findIndex((page) => page.address === address);
	const link = (page: MenuEntry | undefined, rel: "prev" | "next", word: string) =>
		page ? `<a rel="${rel}" href="${page.address}"><small>${word}</small> ${escapeHtml(page.title)}</a>` : "";
	const previous = link(pages[place - 1], "prev", words.previous);
	return `<nav class="around" aria-label="${words.around}" data-pagefind-ignore>${previous}${link(pages[place + 1], "next", words.next)}</nav>\n`;
}

/** Lists the page's sections; closed until guide.js opens it where there is room beside the text. */
function contentsOf(body: string, language: Language): string {
	const headings = [...body.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/gs)];
	if (headings.length < 2) return "";
	const words = WORDS[language].onThisPage;
	const items = headings.map(
		([, id, text]) => `<li><a href="#${id}">${text!.replaceAll(/<[^>]+>/g, "")}</a></li>`,
	);
	return `<nav id="contents" aria-label="${words}"><details><summary>${words}</summary><ol>${items.join("")}</ol></details></nav>\n`;
}

function contactOf({ brand }: Facts, language: Language): string {
	const phone = `<a href="tel:${escapeHtml(brand.phone.replaceAll(" ", ""))}">${escapeHtml(brand.phone)}</a>`;
	const email = `<a href="mailto:${escapeHtml(brand.email)}">${escapeHtml(brand.email)}</a>`;
	return `<p>${escapeHtml(brand.name)} · ${phone} · ${email} · ${escapeHtml(brand.hours[language])}</p>`;
}
