import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	type Browser,
	type BrowserContext,
	type BrowserContextOptions,
	chromium,
	firefox,
	type Page,
} from "playwright-core";
import { afterAll, afterEach, expect } from "vitest";
import { chromiumPath } from "../interop/pfx-openers.ts";
import { byTurns } from "../support/run-size.ts";

/* Debian's Chromium or Firefox, one for a file of tests and one profile for each test. Whoever imports this module has its hooks. */

export const TELEPHONE = {
	viewport: { width: 390, height: 844 },
	deviceScaleFactor: process.env.PICTURES ? 2 : 1,
} as const;
export const DESKTOP = { viewport: { width: 1280, height: 900 } } as const;
/**
 * A telephone in light colours and Spanish, and a desktop in dark ones and English, with words of the page in each; in CI one
 * of the two.
 */
export function looks<Said>(turn: number, spanish: Said, english: Said) {
	const telephone = { viewport: { width: 360, height: 740 }, colorScheme: "light" } as const;
	const desktop = { ...DESKTOP, colorScheme: "dark", locale: "en-GB" } as const;
	const both = [
		["a telephone, light, Spanish", telephone, spanish],
		["a desktop, dark, English", desktop, english],
	] as const;
	return byTurns<(typeof both)[number]>(both, 2, turn);
}

export const NARROW = { viewport: { width: 320, height: 640 } } as const;

/** The program that walks: Chromium, unless firefox.test.ts has set the other one. */
export const ENGINE = process.env.ENGINE === "firefox-esr" ? "firefox-esr" : "chromium";

/** Messages of expected refusals: a page that may not be framed or frames nothing, and our own script's. */
const TRIED = /frame-ancestors|frame-src 'none'|^OnboardingWidget: /;

let browser: Browser | undefined;
const contexts: BrowserContext[] = [];
/** Exceptions in pages, and what their own policy stopped. */
const complaints: string[] = [];
const complain = (text: string) => void (TRIED.test(text) || complaints.push(text));
/** Folder of what Firefox saves. */
const downloads = mkdtempSync(join(tmpdir(), "downloads-"));

afterEach(async () => {
	for (const context of contexts.splice(0)) await context.close();
	expect(complaints.splice(0)).toEqual([]);
});
afterAll(async () => {
	await browser?.close();
	rmSync(downloads, { recursive: true });
});

function launch(): Promise<Browser> {
	if (ENGINE === "chromium")
		return chromium.launch({
			executablePath: chromiumPath,
			args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
		});
	return firefox.launch({
		channel: "moz-firefox",
		executablePath: "/usr/bin/firefox-esr",
		downloadsPath: downloads,
		// Otherwise no key reaches a frame of another origin.
		firefoxUserPrefs: { "fission.webContentIsolationStrategy": 0 },
	});
}

/** The file that `press` makes the page save: its name and where it is. */
export async function savedBy(
	page: Page,
	press: () => Promise<void>,
): Promise<{ name: string; path: string }> {
	if (ENGINE === "chromium") {
		const [got] = await Promise.all([page.waitForEvent("download"), press()]);
		return { name: got.suggestedFilename(), path: await got.path() };
	}
	// Firefox tells nobody of the download of a blob: the file is waited for.
	const before = readdirSync(downloads);
	await press();
	const isWritten = (name: string) => !before.includes(name) && statSync(join(downloads, name)).size > 0;
	const saved = () => readdirSync(downloads).filter(isWritten);
	await expect.poll(saved).toEqual([expect.stringMatching(/\.pfx$/)]);
	const name = saved()[0]!;
	return { name, path: join(downloads, name) };
}

/** Puts an address into a frame of the page, which the browser must refuse to show. */
export async function expectNotFramed(page: Page, url: string): Promise<void> {
	await page.evaluate(`document.body.innerHTML = '<iframe src="${url}"></iframe>'`);
	const frame = await (await page.waitForSelector("iframe")).contentFrame();
	// `waitForURL` would throw where the refusal comes while it waits.
	await expect.poll(() => frame!.url()).toMatch(/^chrome-error:/);
}

export async function newPage(options: BrowserContextOptions = TELEPHONE): Promise<Page> {
	browser ??= await launch();
	const context = await browser.newContext({ acceptDownloads: true, locale: "es-CL", ...options });
	contexts.push(context);
	// Firefox tells of a policy as of an exception.
	context.on("weberror", (error) => complain(String(error.error())));
	context.on("console", (message) => {
		if (/Content.Security.Policy|Trusted/.test(message.text())) complain(message.text());
	});
	return context.newPage();
}
