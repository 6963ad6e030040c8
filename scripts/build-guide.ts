import { globSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { digestFiles } from "./digest-files.ts";
import { writeChanged } from "./write-changed.ts";

/*
 * The guide and the reference as they are served under /docs: files of `public/docs` that are not committed. wrangler makes them
 * before it takes the files of `public` (wrangler.toml, [build]), where what they are made from has changed; the longer
 * runs of tests make them first, since services that start beside each other watch these files.
 */

const root = join(import.meta.dirname, "..");
const output = join(root, "public/docs");
/** Holds the digest of what the files were made from. */
const stamp = join(output, "pagefind/made-from.txt");
const MADE_FROM = [
	"docs/partners/{es,en,examples,pictures}/*",
	"scripts/build-guide.ts",
	"scripts/guide/**/*.{ts,css}",
	"src/**/*.ts",
	"wrangler.toml",
	"package-lock.json",
];
const MADE = "{index.html,guide.css,{es,en,pagefind,pictures}/**/*.*}";

export async function buildGuide(): Promise<void> {
	const madeFrom = await digestFiles(root, MADE_FROM);
	if ((await readFile(stamp, "utf8").catch(() => "")) === madeFrom) return;
	const { renderGuide } = await import("./guide/render.ts");
	const { indexPages } = await import("./guide/search-index.ts");
	const { VALUES } = await import("../src/pages/kit/style-values.ts");
	const pages = await renderGuide();
	const files = new Map<string, string | Buffer>();
	for (const [path, html] of pages)
		files.set(`${path}${path.endsWith("/") ? "index" : ""}.html`.replace("/docs/", ""), html);
	files.set("index.html", pages.get("/docs/es/")!);
	files.set("guide.css", VALUES + (await readFile(join(root, "scripts/guide/guide.css"), "utf8")));
	for (const [path, content] of await indexPages(pages)) files.set(`pagefind/${path}`, content);
	const pictures = join(root, "docs/partners/pictures");
	for (const name of await readdir(pictures))
		files.set(`pictures/${name}`, await readFile(join(pictures, name)));
	for (const [path, content] of files) await writeChanged(join(output, path), content);
	for (const path of globSync(MADE, { cwd: output })) if (!files.has(path)) await rm(join(output, path));
	await writeChanged(stamp, madeFrom);
}

if (import.meta.main) await buildGuide();
