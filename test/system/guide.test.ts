import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGuide } from "../../scripts/build-guide.ts";
import { aroundTable, errorsTable } from "../../scripts/guide/errors-table.ts";
import { FOLDER, LANGUAGES, type Language, PAGES, readPage } from "../../scripts/guide/pages.ts";
import { renderGuide } from "../../scripts/guide/render.ts";
import { indexPages } from "../../scripts/guide/search-index.ts";
import { snippetsOf, withoutWords } from "../../scripts/guide/snippets.ts";
import { KEY_SCOPES } from "../../src/domain/key-scopes.ts";
import { CODE_STATUSES, LIST_STATUSES } from "../../src/domain/status-tables.ts";
import { WEBHOOK_EVENTS } from "../../src/domain/webhook-events.ts";
import { ERROR_STATUS, FIELD_CODES, RULE_CODES } from "../../src/http/errors.ts";
import { IDENTITIES } from "../../src/sandbox/identities.ts";
import { CLAUSES, DIFFERENCES } from "../interface-clauses.ts";

/* The guide, docs/partners. Its commands are run by test/interop/guide.test.ts. */

const pageOf = async (language: Language, name: (typeof PAGES)[number]) =>
	(await readPage(language, name)).markdown;

/** Paths that the service has beside the guide. */
const ELSEWHERE = /^\/(brand\/.*|docs\/guide\.css|openapi\.json)$/;

/** Errors of ops, who have a document of their own. */
const NOT_A_PARTNERS = ["ROLE_REQUIRED"];

test("both languages have the same pages, and in each the same commands, files and answers", async () => {
	for (const language of LANGUAGES)
		expect((await readdir(join(FOLDER, language))).sort()).toEqual(PAGES.map((name) => `${name}.md`).sort());
	for (const name of PAGES) {
		const [spanish, english] = await Promise.all(LANGUAGES.map((language) => pageOf(language, name)));
		const [inSpanish, inEnglish] = [spanish!, english!].map((text) => snippetsOf(text).map(withoutWords));
		expect(inEnglish, name).toEqual(inSpanish);
		const [rows, others] = [spanish!, english!].map((text) => text.match(/^\|/gm)?.length);
		expect(rows, `rows of the tables of ${name}`).toBe(others);
	}
});

describe("the served guide", () => {
	let pages: Map<string, string>;
	beforeAll(async () => {
		pages = await renderGuide();
	});

	test("every link leads to a page, an anchor or a path of the service, and every page is linked to", () => {
		const linked = new Set<string>();
		for (const [path, html] of pages) {
			const ids = Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id]) => id!);
			expect(new Set(ids).size, path).toBe(ids.length);
			for (const [, href] of html.matchAll(/href="([^"]+)"/g)) {
				const { pathname, hash, origin } = new URL(href!, `https://guide.example${path}`);
				if (origin !== "https://guide.example" || ELSEWHERE.test(pathname)) continue;
				const target = pages.get(pathname);
				expect(target, `${path}: ${href}`).toBeDefined();
				if (hash) expect(target, `${path}: ${href}`).toContain(`id="${decodeURIComponent(hash.slice(1))}"`);
				if (pathname !== path) linked.add(pathname);
			}
		}
		expect([...pages.keys()].filter((path) => !linked.has(path))).toEqual([]);
	});

	test("no style in a page, no script but guide.js: the policy of /docs stops any other", () => {
		for (const [path, html] of pages) {
			expect(html, path).not.toMatch(
				/ style="|<style| on[a-z]+="|\[object |undefined<|[\u001e\u001f{]DEV_URL/,
			);
			expect(html.match(/<script[^>]*>/g), path).toEqual(['<script type="module" src="/docs/guide.js">']);
		}
	});

	test("every page says how to reach us, and every «call us» leads there", () => {
		for (const [path, html] of pages) {
			expect(html, path).toMatch(/<footer id="contact".*href="tel:\+[0-9]+".*href="mailto:[^"]+@[^"]+"/s);
			expect(html.match(/<strong>(ll[áa]menos|call us)/gi), path).toBeNull();
		}
		expect(
			pages.get("/docs/es/errors")!.match(/<a href="#contact">ll[áa]menos<\/a>/gi)!.length,
		).toBeGreaterThan(5);
	});

	test("dev's and production's addresses are those of wrangler.toml", async () => {
		const settings = await readFile("wrangler.toml", "utf8");
		const addresses = Array.from(settings.matchAll(/^PUBLIC_URL = "(https:[^"]+)"/gm), ([, url]) => url!);
		expect(addresses).toHaveLength(2);
		for (const path of ["/docs/es/", "/docs/en/", "/docs/es/reference/"])
			for (const address of addresses) expect(pages.get(path)).toContain(`<code>${address}</code>`);
	});

	test("the search finds words of both languages: an index each, and no more of Pagefind than is loaded", async () => {
		const files = await indexPages(pages);
		const { languages } = JSON.parse(String(files.get("pagefind-entry.json")));
		const half = pages.size / 2;
		expect(languages).toMatchObject({ en: { page_count: half }, "es-cl": { page_count: half } });
		const names = [...files.keys()].filter((name) => !/^(index|fragment)\//.test(name));
		expect(names.map((name) => name.replace(/_[0-9a-f]+/, "")).sort()).toEqual([
			"pagefind-entry.json",
			"pagefind-worker.js",
			"pagefind.en.pf_meta",
			"pagefind.es-cl.pf_meta",
			"pagefind.js",
			"wasm.en.pagefind",
			"wasm.es-cl.pagefind",
		]);
	});

	test("weighs little: a page at most 15 kB, the style sheet 5 kB, the script 4 kB, as gzip", async () => {
		const weigh = (content: string | Buffer) => gzipSync(content).length;
		for (const [path, html] of pages) expect(weigh(html), path).toBeLessThan(15_000);
		expect(weigh(await readFile("scripts/guide/guide.css"))).toBeLessThan(5_000);
		expect(weigh(await readFile("public/docs/guide.js"))).toBeLessThan(4_000);
	});

	test("every picture is there", async () => {
		const pictures = await readdir(join(FOLDER, "pictures"));
		const shown = [...pages.values()].flatMap((html) => [
			...html.matchAll(/src="\/docs\/pictures\/([^"]+)"/g),
		]);
		expect(shown.length).toBeGreaterThan(0);
		for (const [, picture] of shown) expect(pictures).toContain(picture);
	});
});

describe.each(LANGUAGES)("complete (%s)", (language) => {
	test("errors: every `error` with its status and every code of a 400 and a 406, each with something to do", async () => {
		const rows = (await pageOf(language, "errors")).split("\n").filter((line) => line.startsWith("|"));
		for (const [error, status] of Object.entries(ERROR_STATUS)) {
			if (NOT_A_PARTNERS.includes(error)) continue;
			const row = rows.find((line) => line.startsWith(`| ${status} | \`${error}\``));
			expect(row, error).toBeDefined();
			expect(row!.split("|")[4]!.trim().length, error).toBeGreaterThan(3);
		}
		for (const code of [...FIELD_CODES, ...RULE_CODES])
			expect(
				rows.some((line) => line.startsWith(`| \`${code}\``)),
				code,
			).toBe(true);
	});

	test.each([
		["statuses", [...CODE_STATUSES, ...LIST_STATUSES]],
		["webhooks", WEBHOOK_EVENTS],
		["desk", KEY_SCOPES],
	] as const)("%s: every word of the wire", async (name, words) => {
		const page = await pageOf(language, name);
		for (const word of words) expect(page).toContain(`\`${word}\``);
	});

	test("sandbox: every person", async () => {
		const page = await pageOf(language, "sandbox");
		for (const { rut, cardSerial } of IDENTITIES) expect(page).toContain(`| ${rut} | ${cardSerial} |`);
	});

	test("interface: §7 is what the calls declare; each difference of a clause is told, with its section", async () => {
		const page = await pageOf(language, "interface");
		expect(aroundTable(page).table, "npm run client:generate").toBe(await errorsTable(language));
		const told = page.split(/^## (?:Diferencias|Differences)$/m)[1]!.match(/^\| \d.*/gm)!;
		expect(told).toHaveLength(Object.keys(DIFFERENCES).length);
		const sections = told.map((row) => row.split("|")[1]!).join();
		for (const [section, clauses] of Object.entries(CLAUSES))
			for (const [says, , difference] of clauses)
				if (difference !== undefined) {
					const cited = /^\d\.\d/.exec(says)?.[0] ?? /[\d.]+/.exec(section)![0];
					expect(sections, `${section}: ${says}`).toContain(cited.startsWith("6") ? "6" : cited);
				}
	});

	test("interface: every section that requirements and decisions cite", async () => {
		const page = await pageOf(language, "interface");
		const decisions = await readFile("docs/decisions/0001-where-the-document-is-silent.md", "utf8");
		const cited = [decisions, ...Object.keys(CLAUSES)].flatMap(
			(text) => text.match(/(?<!RFC \d+ )§\d(\.\d)?/g) ?? [],
		);
		expect(cited.length).toBeGreaterThan(20);
		for (const section of new Set(cited)) {
			const [chapter, part] = section.slice(1).split(".");
			const heading = new RegExp(`^#{2,3} ${chapter}\\.${part ?? ""} `, "m").test(page);
			const text = page.split(new RegExp(`^## ${chapter}\\. .*$`, "m"))[1]?.split(/^## /m)[0] ?? "";
			const item = part !== undefined && new RegExp(`^${part}\\. `, "m").test(text);
			expect(heading || item, section).toBe(true);
		}
	});
});

test("built again, it leaves every file alone: a running service that watches them would start anew", async () => {
	const folder = join(import.meta.dirname, "../../public/docs");
	const written = async () => {
		const files = await readdir(folder, { recursive: true, withFileTypes: true });
		const paths = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name));
		return Promise.all(paths.map(async (path) => [path, (await stat(path)).mtimeMs]));
	};
	await buildGuide();
	const before = await written();
	await buildGuide();
	expect(await written()).toEqual(before);
	expect(before.length).toBeGreaterThan(20);
});
