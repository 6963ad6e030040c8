import { readFile } from "node:fs/promises";
import { join } from "node:path";

/* The guide for partners: docs/partners/{es,en}, the same pages in both languages. */

export const FOLDER: string = join(import.meta.dirname, "../../docs/partners");

export const LANGUAGES = ["es", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Ordered as a new partner reads them. */
export const PAGES = [
	"README",
	"first-pfx",
	"b2c",
	"full-flow",
	"webhooks",
	"b2b",
	"statuses",
	"errors",
	"widget",
	"sandbox",
	"desk",
	"console",
	"holder",
	"going-live",
	"certificate",
	"interface",
] as const;
export type PageName = (typeof PAGES)[number];

export interface Page {
	name: PageName;
	language: Language;
	markdown: string;
	/** First heading of the page. */
	title: string;
}

export async function readPage(language: Language, name: PageName): Promise<Page> {
	const markdown = await readFile(join(FOLDER, language, `${name}.md`), "utf8");
	const title = /^# (.+)$/m.exec(markdown)?.[1];
	if (!title) throw new Error(`${language}/${name}.md has no heading`);
	return { name, language, markdown, title };
}

/** Path at which a page is served. */
export function addressOf(language: Language, name: PageName): string {
	return `/docs/${language}/${name === "README" ? "" : name}`;
}

/** A heading's anchor, as GitHub makes it. */
export function anchorOf(heading: string): string {
	return heading
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N} _-]/gu, "")
		.replaceAll(" ", "-");
}
