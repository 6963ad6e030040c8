import { readFacts } from "./facts.ts";
import { layout } from "./layout.ts";
import { LANGUAGES, PAGES, readPage } from "./pages.ts";
import { referencePages } from "./reference/pages.ts";
import { servedPage } from "./render-page.ts";

/** Every page of the guide and the reference, by the path that it is served at; `/docs/` is the Spanish beginning. */
export async function renderGuide(): Promise<Map<string, string>> {
	const facts = readFacts();
	const rendered = new Map<string, string>();
	for (const language of LANGUAGES) {
		const pages = await Promise.all(PAGES.map((name) => readPage(language, name)));
		const all = [
			...pages.map((page) => servedPage(page, pages, facts)),
			...(await referencePages(language, facts)),
		];
		for (const page of all) rendered.set(page.address, layout(page, facts));
	}
	return rendered;
}
