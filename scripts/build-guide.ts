import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { addressOf, FOLDER, LANGUAGES, PAGES, readPage } from "./guide/pages.ts";
import { renderPage } from "./guide/render-page.ts";
import { writeChanged } from "./write-changed.ts";

/*
 * docs/partners as it is served under /docs: files of `public/docs` that are not committed. They are made by prepare-local.ts, and
 * by wrangler before it takes the files of `public` (wrangler.toml, [build]). `/docs/` is the Spanish beginning.
 */

const output = join(import.meta.dirname, "../public");

export async function buildGuide(): Promise<void> {
	for (const [path, html] of await renderGuide())
		await writeChanged(join(output, path.endsWith("/") ? `${path}index.html` : `${path}.html`), html);
	const pictures = join(FOLDER, "pictures");
	for (const name of await readdir(pictures))
		await writeChanged(join(output, "docs/pictures", name), await readFile(join(pictures, name)));
}

/** Every page by the path that it is served at. */
export async function renderGuide(): Promise<Map<string, string>> {
	const rendered = new Map<string, string>();
	for (const language of LANGUAGES) {
		const pages = await Promise.all(PAGES.map((name) => readPage(language, name)));
		for (const page of pages) rendered.set(addressOf(language, page.name), renderPage(page, pages));
	}
	return rendered.set("/docs/", rendered.get("/docs/es/")!);
}

if (import.meta.main) await buildGuide();
