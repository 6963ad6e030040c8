import { close, createIndex } from "pagefind";

/** Files of Pagefind that guide.js loads; its own interfaces are left out. */
const USED =
	/^(pagefind(-worker)?\.js|pagefind-entry\.json|.+\.(pf_meta|pf_index|pf_fragment)|wasm\.(en|es-cl)\.pagefind)$/;

/** Pagefind's index of the pages, one for each language of their `lang`. @returns its files by path */
export async function indexPages(pages: ReadonlyMap<string, string>): Promise<Map<string, Buffer>> {
	try {
		const { index, errors } = await createIndex({ includeCharacters: "_" });
		if (!index) throw new Error(errors.join());
		for (const [url, content] of pages) {
			const added = await index.addHTMLFile({ url, content });
			if (added.errors.length > 0) throw new Error(`${url}: ${added.errors.join()}`);
		}
		const { files } = await index.getFiles();
		const used = files.filter(({ path }) => USED.test(path));
		return new Map(used.map(({ path, content }) => [path, Buffer.from(content)]));
	} finally {
		await close();
	}
}
